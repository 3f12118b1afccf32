"""A reward for code edits: `difflib` as SWE-RL uses it, and Text-IoU beside it.

SWE-RL rewards a predicted patch by the ratio of a SequenceMatcher over the characters of
both patches. The same call works here, faster; Text-IoU needs the file before the edit,
and asks whether both edits did the same thing to it.
"""

import difflib
import time

import mvdiff
import mvdiff.difflib


def difflib_reward(predicted_patch: str, oracle_patch: str, matcher=mvdiff.difflib) -> float:
    """The similarity of two patches, character by character."""
    return matcher.SequenceMatcher(None, a=predicted_patch, b=oracle_patch, autojunk=False).ratio()


def text_iou_reward(before: str, oracle: str, predicted: str) -> float:
    """Of all lines that either edit changed, the share that both changed alike."""
    return mvdiff.text_iou(before, oracle, predicted).score


def patch(old: str, new: str) -> str:
    lines = difflib.unified_diff(
        old.splitlines(True), new.splitlines(True), "a/shop.py", "b/shop.py"
    )
    return "".join(lines)


BEFORE = "".join(
    f"def item_{n}(order):\n    price = order.items[{n}].price\n    return price * {n}\n\n\n"
    for n in range(12)
)
ORACLE = BEFORE.replace("return price * 7", "return price * 7 * order.rate")
PREDICTIONS = {
    "the same edit": ORACLE,
    "the right line, worded otherwise": BEFORE.replace(
        "return price * 7", "return order.rate * price * 7"
    ),
    "the wrong line": BEFORE.replace("return price * 3", "return price * 3 * order.rate"),
    "nothing": BEFORE,
    "the right line, and another file's worth": ORACLE + BEFORE.replace("item", "thing"),
}

if __name__ == "__main__":
    print(f"{'prediction':42} {'difflib':>8} {'Text-IoU':>9}")
    for name, predicted in PREDICTIONS.items():
        ratio = difflib_reward(patch(BEFORE, predicted), patch(BEFORE, ORACLE))
        standard = difflib_reward(patch(BEFORE, predicted), patch(BEFORE, ORACLE), difflib)
        assert ratio == standard
        print(f"{name:42} {ratio:8.3f} {text_iou_reward(BEFORE, ORACLE, predicted):9.3f}")
    one, other = patch("", BEFORE * 4), patch("", ORACLE * 4)
    start = time.perf_counter()
    difflib_reward(one, other)
    ours = time.perf_counter() - start
    start = time.perf_counter()
    difflib_reward(one, other, difflib)
    theirs = time.perf_counter() - start
    print(f"{len(one)} characters: {theirs / ours:.0f} times as fast as the standard library")

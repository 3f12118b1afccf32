"""The same answers as the standard library's matcher."""

import difflib
import random
import subprocess
import sys

import pytest

import mvdiff.difflib
from mvdiff.difflib import SequenceMatcher


def same(a, b, isjunk=None, autojunk=True):
    ours = SequenceMatcher(isjunk, a, b, autojunk)
    standard = difflib.SequenceMatcher(isjunk, a, b, autojunk)
    assert ours.get_matching_blocks() == standard.get_matching_blocks()
    assert ours.get_opcodes() == standard.get_opcodes()
    assert ours.ratio() == standard.ratio()
    assert list(ours.get_grouped_opcodes()) == list(standard.get_grouped_opcodes())
    assert ours.bjunk == standard.bjunk and ours.bpopular == standard.bpopular
    assert ours.b2j == standard.b2j
    assert ours.find_longest_match() == standard.find_longest_match()
    if len(a) > 3 and len(b) > 3:
        part = (1, len(a) - 1, 2, len(b))
        assert ours.find_longest_match(*part) == standard.find_longest_match(*part)


@pytest.mark.parametrize("seed", range(40))
def test_random_sequences(seed):
    pick = random.Random(seed)
    for _ in range(15):
        letters = "abcdé\u4e00"[: pick.randint(1, 6)]
        size = pick.choice([5, 30, 260])
        a = "".join(pick.choices(letters, k=pick.randint(0, size)))
        b = "".join(pick.choices(letters, k=pick.randint(0, size)))
        same(a, b)
        same(a, b, autojunk=False)
        same(list(a), tuple(b))
        same(a, b, isjunk=lambda c: c == "a")
        same(list(a), list(b), isjunk=lambda c: c in "ab", autojunk=False)


def test_long_lists_with_popular_lines():
    pick = random.Random(7)
    a = [pick.choice(["", "}", f"line {i % 90}"]) for i in range(600)]
    b = [pick.choice(["", "}", f"line {i % 80}"]) for i in range(600)]
    same(a, b)
    same(a, b, autojunk=False)


def test_odd_elements():
    same("a\udc80b", "\udc80b")  # a lone surrogate is a character to Python
    same([1, 2.0, True, None], [True, 2, None, "x"])
    same(b"abc", b"bcd")
    same([(1, 2), (3,)], [(3,), (1, 2)])
    with pytest.raises(TypeError):
        SequenceMatcher(None, [[1]], [[1]]).ratio()


def test_sequences_can_be_set_again():
    matcher = SequenceMatcher(None, "abcd", "bcde")
    assert matcher.ratio() == 0.75
    matcher.set_seq1("bcde")
    assert matcher.ratio() == 1.0
    matcher.set_seqs([1], [2])
    assert matcher.get_opcodes() == [("replace", 0, 1, 0, 1)]


def test_the_module_is_the_standard_one_otherwise():
    assert set(difflib.__all__) <= set(mvdiff.difflib.__all__)
    assert mvdiff.difflib.IS_LINE_JUNK is difflib.IS_LINE_JUNK
    mvdiff.difflib.install()
    try:
        assert difflib.get_close_matches("appel", ["ape", "apple", "peach"]) == ["apple", "ape"]
    finally:
        mvdiff.difflib.uninstall()


RUN = """
import unittest, sys
import mvdiff.difflib
mvdiff.difflib.install()
import difflib
from test import test_difflib
assert test_difflib.difflib.SequenceMatcher is mvdiff.difflib.SequenceMatcher
suite = unittest.defaultTestLoader.loadTestsFromModule(test_difflib)
result = unittest.TextTestRunner(verbosity=0).run(suite)
print("ran", result.testsRun)
for test, _ in result.failures + result.errors:
    print("failed", test.id())
"""


def test_cpythons_own_tests():
    """CPython's suite, from the interpreter that runs this, against ours."""
    pytest.importorskip("test.test_difflib", reason="this Python came without its tests")
    done = subprocess.run([sys.executable, "-c", RUN], capture_output=True, text=True)
    lines = done.stdout.splitlines()
    assert [line for line in lines if line.startswith("failed")] == [], done.stderr
    ran = [int(line.split()[1]) for line in lines if line.startswith("ran")]
    assert ran and ran[0] > 30, done.stderr

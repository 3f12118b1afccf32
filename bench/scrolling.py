#!/usr/bin/env python3
"""Does a large page scroll smoothly? scrolling.py MVDIFF [--rounds N]

Makes a page of more than 5 MB on which nearly all rows are shown, opens it in headless Chromium
through chromedriver, and turns the wheel at three speeds. Frames are those that the browser itself
counts: the times of its animation frames while it scrolls. Then the switch for white space is
pressed, on and off, and timed until the browser has drawn again. The CPU time of the browser's main
thread for each frame does not depend on what else the machine does: 20 ms are 50 frames a second.
Beside it stands the frame rate of a page that cannot be simpler, the same text in one <pre>.
"""
import argparse
import json
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request

LINES, EVERY = 36_000, 3
SPEEDS = (1_000, 4_000, 12_000)
SECONDS = 4

RECORD = """
window.seen = [];
const each = (at) => { if (window.seen) { window.seen.push(at); requestAnimationFrame(each); } };
requestAnimationFrame(each);
"""
STOP = """
const all = window.seen; window.seen = null;
return [all.slice(1).map((at, i) => at - all[i]), scrollY];
"""
# Two frames: the first is drawn when the second begins.
SWITCH = """
const done = arguments[0], start = performance.now();
document.querySelector("[data-toggle=blanks]").click();
requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - start)));
"""


class Browser:
    """Headless Chromium, through chromedriver."""

    def __init__(self):
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE,
                                       stderr=subprocess.DEVNULL, text=True)
        port = next(found[1] for line in self.driver.stdout if (found := re.search(r"successfully on port (\d+)", line)))
        self.session = f"http://127.0.0.1:{port}/session"
        arguments = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                     "--window-size=1400,900"]
        made = self.send("", {"capabilities": {"alwaysMatch": {"goog:chromeOptions": {"args": arguments}}}})
        self.session += "/" + made["sessionId"]
        self.send("/timeouts", {"script": 120_000, "pageLoad": 120_000})
        self.ask("Performance.setTimeDomain", timeDomain="threadTicks")
        self.ask("Performance.enable")

    def send(self, path, body):
        request = urllib.request.Request(self.session + path, json.dumps(body).encode(),
                                         {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=180) as answer:
            return json.load(answer)["value"]

    def open(self, path):
        self.send("/url", {"url": path.resolve().as_uri()})
        time.sleep(5)

    def run(self, script):
        return self.send("/execute/sync", {"script": script, "args": []})

    def wait_for(self, script):
        return self.send("/execute/async", {"script": script, "args": []})

    def ask(self, command, **parameters):
        return self.send("/goog/cdp/execute", {"cmd": command, "params": parameters})

    def wheel(self, distance, speed):
        self.ask("Input.synthesizeScrollGesture", x=600, y=500, yDistance=-distance, speed=speed,
                 gestureSourceType="mouse")

    def spent(self):
        """Milliseconds of CPU that the page's main thread has used."""
        metrics = self.ask("Performance.getMetrics")["metrics"]
        return 1000 * next(metric["value"] for metric in metrics if metric["name"] == "TaskDuration")

    def close(self):
        request = urllib.request.Request(self.session, method="DELETE")
        urllib.request.urlopen(request, timeout=60).close()
        self.driver.kill()
        self.driver.wait()


def texts():
    """Lines, each third one edited, and ten blocks that moved."""
    old = [f"    total_{i} = price_of(item_{i}, {i * 37 % 101}) + tax\n" for i in range(LINES)]
    new = [line.replace("tax", "vat") if i % EVERY == 0 else line for i, line in enumerate(old)]
    for block in range(1, 11):
        start = block * LINES // 12
        moved, new[start:start + 20] = new[start:start + 20], []
        new[LINES - start - 50:LINES - start - 50] = moved
    return "".join(old), "".join(new)


def scroll(browser, speed):
    """Frames a second, CPU time a frame, the time that 95 of 100 frames keep within, and the longest."""
    browser.run("scrollTo({top: 2000, behavior: 'instant'})")
    time.sleep(0.5)
    before = browser.spent()
    browser.run(RECORD)
    browser.wheel(speed * SECONDS, speed)
    times, end = browser.run(STOP)
    spent = browser.spent() - before
    assert end > speed * SECONDS / 2, f"it did not scroll: {end}"
    times.sort()
    return 1000 * len(times) / sum(times), spent / len(times), times[len(times) * 95 // 100], times[-1]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("mvdiff")
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        old, new = texts()
        (folder / "old.py").write_text(old)
        (folder / "new.py").write_text(new)
        ours, plain = folder / "ours.html", folder / "plain.html"
        made = subprocess.run([args.mvdiff, "diff", "--format", "html", "-o", ours, folder / "old.py",
                               folder / "new.py"], check=False)
        assert made.returncode == 1, made
        plain.write_text(f"<!doctype html><title>plain</title><pre>{old}{new}</pre>")
        size = ours.stat().st_size
        assert size > 5_000_000, size
        browser = Browser()
        try:
            print(f"{size / 1e6:.1f} MB, {LINES // EVERY:,} edited lines, 10 moves")
            print("| wheel, pixels a second | frames a second | CPU a frame | 95 of 100 within | longest | plain |")
            print("|--:|--:|--:|--:|--:|--:|")
            for speed in SPEEDS:
                figures = {ours: [], plain: []}
                for _ in range(args.rounds):
                    for page in figures:
                        browser.open(page)
                        figures[page].append(scroll(browser, speed))
                rate, spent, most, longest = map(statistics.median, zip(*figures[ours]))
                simple = statistics.median(rate for rate, *_ in figures[plain])
                print(f"| {speed:,} | {rate:.1f} | {spent:.1f} ms | {most:.0f} ms | {longest:.0f} ms | {simple:.1f} |")
            browser.open(ours)
            switched = [browser.wait_for(SWITCH) for _ in range(2 * args.rounds)]
            print(f"white space: shown in {switched[0]:.0f} ms the first time, then in",
                  f"{statistics.median(switched[2::2] or switched):.0f}, hidden in",
                  f"{statistics.median(switched[1::2]):.0f}")
        finally:
            browser.close()


if __name__ == "__main__":
    sys.exit(main())

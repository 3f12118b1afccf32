#!/usr/bin/env python3
"""How smoothly does a page scroll? scroll.py CHROMIUM PAGE.html...   (needs websocket-client from PyPI)

Frames by Chromium's own clock: requestAnimationFrame while the page is scrolled from top to end in 400
steps, and its own account of what the main thread spent (Performance.getMetrics) meanwhile, per frame.
On a busy machine frames come late, but a frame that took less than 20 ms of work could have come 50 times a
second. Then the time that the switch for white space takes until the next frame.
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import time
import urllib.request

import websocket

SCROLL = """new Promise(done => {
  const end = document.documentElement.scrollHeight - innerHeight, step = Math.max(60, Math.ceil(end / 400));
  const times = []; let y = 0, last = performance.now(), start = last;
  const go = now => {
    times.push(now - last); last = now; y += step; scrollTo(0, y);
    if (y < end && times.length < 400) return requestAnimationFrame(go);
    times.shift(); times.sort((a, b) => a - b);
    done(JSON.stringify({ frames: times.length, median: times[times.length >> 1],
      fps: 1000 * times.length / (last - start) }));
  };
  requestAnimationFrame(go);
})"""
SWITCH = """new Promise(done => {
  const box = [...document.querySelectorAll('label')].find(l => /white.?space|blanks/i.test(l.textContent));
  if (!box) return done('none');
  const start = performance.now(); (box.querySelector('input') || box).click();
  requestAnimationFrame(() => requestAnimationFrame(() => done(String(performance.now() - start))));
})"""


class Page:
    def __init__(self, port):
        for _ in range(100):
            try:
                tabs = json.load(urllib.request.urlopen(f"http://127.0.0.1:{port}/json"))
                break
            except OSError:
                time.sleep(0.3)
        address = next(tab["webSocketDebuggerUrl"] for tab in tabs if tab["type"] == "page")
        self.socket = websocket.create_connection(address, suppress_origin=True, timeout=120)
        self.count = 0

    def ask(self, method, **params):
        self.count += 1
        self.socket.send(json.dumps({"id": self.count, "method": method, "params": params}))
        while True:
            answer = json.loads(self.socket.recv())
            if answer.get("id") == self.count:
                return answer["result"]

    def value(self, expression):
        return self.ask("Runtime.evaluate", expression=expression, awaitPromise=True,
                        returnByValue=True)["result"].get("value")

    def work(self):
        metrics = {m["name"]: m["value"] for m in self.ask("Performance.getMetrics")["metrics"]}
        return metrics["TaskDuration"]


def main():
    chromium, *pages = sys.argv[1:]
    for path in pages:
        with tempfile.TemporaryDirectory() as profile:
            port = 9333
            browser = subprocess.Popen(
                [chromium, "--headless=new", "--no-sandbox", "--disable-gpu", f"--remote-debugging-port={port}",
                 f"--user-data-dir={profile}", "--window-size=1400,900", "about:blank"],
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            try:
                page = Page(port)
                page.ask("Performance.enable", timeDomain="threadTicks")
                page.ask("Page.enable")
                page.ask("Page.navigate", url=pathlib.Path(path).resolve().as_uri())
                while page.value("document.readyState") != "complete":
                    time.sleep(0.5)
                time.sleep(3)
                before = page.work()
                scrolled = json.loads(page.value(SCROLL))
                work = 1000 * (page.work() - before) / scrolled["frames"]
                before = page.work()
                switched = page.value(SWITCH)
                switch = 1000 * (page.work() - before)
                size = pathlib.Path(path).stat().st_size / 1e6
                print(f"{path}: {size:.1f} MB, {scrolled['frames']} frames, {scrolled['fps']:.0f} fps, median"
                      f" {scrolled['median']:.1f} ms, CPU {work:.1f} ms a frame; white space switch {switched} ms,"
                      f" CPU {switch:.0f} ms")
            finally:
                browser.kill()
                browser.wait()


if __name__ == "__main__":
    main()

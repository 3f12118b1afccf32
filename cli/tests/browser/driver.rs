//! A real browser: headless Chromium, driven through chromedriver with the W3C's
//! protocol for that, which is JSON over HTTP on this machine.

use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// A browser with one window.
pub struct Browser {
    driver: Child,
    /// Where the session is reached.
    session: String,
    agent: ureq::Agent,
    /// The profile is new each time, so that no test knows of another.
    profile: tempfile::TempDir,
}

/// How the window is.
#[derive(Clone, Copy)]
pub struct Window {
    pub width: u32,
    pub height: u32,
    /// Whether the system is set to dark.
    pub dark: bool,
    /// Whether pages may run scripts.
    pub scripts: bool,
}

impl Default for Window {
    fn default() -> Self {
        Self {
            width: 1400,
            height: 900,
            dark: false,
            scripts: true,
        }
    }
}

impl Browser {
    /// Starts a browser.
    pub fn start(window: Window) -> Self {
        let mut driver = Command::new("chromedriver")
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("chromedriver is installed; tests/setup does it");
        let port = port_of(&mut driver);
        let profile = tempfile::tempdir().expect("a folder for the profile");
        let config = ureq::Agent::config_builder()
            .timeout_global(Some(Duration::from_secs(120)))
            .http_status_as_error(false)
            .build();
        let mut browser = Self {
            driver,
            session: format!("http://127.0.0.1:{port}/session"),
            agent: config.into(),
            profile,
        };
        let mut arguments = vec![
            "--headless".to_owned(),
            // Only pages that the tests wrote are opened, often as root.
            "--no-sandbox".to_owned(),
            "--disable-gpu".to_owned(),
            "--disable-dev-shm-usage".to_owned(),
            "--no-first-run".to_owned(),
            "--disable-background-networking".to_owned(),
            "--disable-component-update".to_owned(),
            "--disable-sync".to_owned(),
            "--hide-scrollbars".to_owned(),
            format!("--window-size={},{}", window.width, window.height),
            format!("--user-data-dir={}", browser.profile.path().display()),
        ];
        if !window.scripts {
            arguments.push("--blink-settings=scriptEnabled=false".to_owned());
        }
        let wanted = json!({"capabilities": {"alwaysMatch": {
            "browserName": "chrome",
            "goog:chromeOptions": {"args": arguments},
            "goog:loggingPrefs": {"performance": "ALL", "browser": "ALL"},
        }}});
        let made = browser.send("", &wanted);
        let id = made["sessionId"].as_str().expect("a session has an id");
        browser.session = format!("{}/{id}", browser.session);
        browser.size(window.width, window.height);
        browser.dark(window.dark);
        // What the browser shows and asks for on its own is not our page.
        browser.send("/url", &json!({"url": "about:blank"}));
        browser.requests();
        browser
    }

    /// Opens a file.
    pub fn open(&self, page: &Path) {
        let page = page.canonicalize().expect("the page is there");
        self.send(
            "/url",
            &json!({"url": format!("file://{}", page.display())}),
        );
    }

    /// The inside of the window, in pixels.
    pub fn size(&self, width: u32, height: u32) {
        self.devtools(
            "Emulation.setDeviceMetricsOverride",
            &json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false}),
        );
    }

    /// What the system says it is set to.
    pub fn dark(&self, dark: bool) {
        let value = if dark { "dark" } else { "light" };
        self.devtools(
            "Emulation.setEmulatedMedia",
            &json!({"features": [{"name": "prefers-color-scheme", "value": value}]}),
        );
    }

    /// Runs a function body in the page; what it returns.
    pub fn run(&self, script: &str) -> Value {
        self.send("/execute/sync", &json!({"script": script, "args": []}))
    }

    /// Runs a function body that calls its last argument when it is done.
    fn run_async(&self, script: &str) -> Value {
        self.send("/execute/async", &json!({"script": script, "args": []}))
    }

    /// Presses keys, one after the other; those without a character have one of the
    /// protocol's own, such as U+E007 for enter.
    pub fn press(&self, keys: &str) {
        let strokes = keys.chars().flat_map(|key| {
            ["keyDown", "keyUp"].map(|kind| json!({"type": kind, "value": key.to_string()}))
        });
        self.act(&json!([{"type": "key", "id": "keys", "actions": strokes.collect::<Vec<_>>()}]));
    }

    /// Clicks on the middle of an element.
    pub fn click(&self, css: &str) {
        self.send(&format!("/element/{}/click", self.find(css)), &json!({}));
    }

    /// Puts the mouse on an element.
    pub fn hover(&self, css: &str) {
        let element = json!({"element-6066-11e4-a52e-4f735466cecf": self.find(css)});
        self.act(&json!([{"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"},
            "actions": [{"type": "pointerMove", "duration": 0, "origin": element, "x": 0, "y": 0}]}]));
    }

    fn find(&self, css: &str) -> String {
        let found = self.send("/element", &json!({"using": "css selector", "value": css}));
        let id = found.as_object().and_then(|map| map.values().next());
        let id = id.and_then(Value::as_str).map(str::to_owned);
        id.unwrap_or_else(|| panic!("no element {css} in the page"))
    }

    fn act(&self, actions: &Value) {
        self.send("/actions", &json!({"actions": actions}));
        // The page answers events before it draws again.
        self.settle();
    }

    /// Waits until the page has drawn what it was asked to.
    pub fn settle(&self) {
        self.run_async("const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => done(null)));");
    }

    /// Every address that was asked for since the last call.
    pub fn requests(&self) -> Vec<String> {
        let events = self.log("performance").into_iter().filter_map(|entry| {
            let message = entry["message"].as_str()?;
            serde_json::from_str::<Value>(message).ok()
        });
        let sent = events.filter(|e| e["message"]["method"] == "Network.requestWillBeSent");
        sent.filter_map(|e| {
            let address = &e["message"]["params"]["request"]["url"];
            address.as_str().map(str::to_owned)
        })
        .collect()
    }

    /// What the page complained about since the last call.
    pub fn complaints(&self) -> Vec<String> {
        let entries = self.log("browser").into_iter();
        entries.map(|entry| entry["message"].to_string()).collect()
    }

    fn log(&self, kind: &str) -> Vec<Value> {
        let entries = self.send("/se/log", &json!({"type": kind}));
        entries.as_array().cloned().unwrap_or_default()
    }

    /// What axe-core finds wrong with the page for people who use it by keyboard or
    /// screen reader: a line each.
    pub fn barriers(&self) -> Vec<String> {
        let path = axe();
        let axe = std::fs::read_to_string(&path)
            .unwrap_or_else(|_| panic!("{}: not there; tests/setup gets it", path.display()));
        self.run(&axe);
        let found = self.run_async(
            "const done = arguments[0]; axe.run(document, {resultTypes: ['violations']}).then(
                found => done(found.violations.flatMap(rule => rule.nodes.map(
                    node => rule.id + ': ' + node.target.join(' ') + ': ' + node.failureSummary))),
                error => done([String(error)]));",
        );
        let lines = found.as_array().expect("axe gives a list").iter();
        lines
            .map(|line| line.as_str().unwrap_or_default().to_owned())
            .collect()
    }

    /// A picture of the window, as PNG.
    pub fn picture(&self) -> Vec<u8> {
        use base64::Engine as _;
        let found = self.ask("GET", "/screenshot", None);
        let text = found.as_str().expect("a picture is text");
        let decoded = base64::engine::general_purpose::STANDARD.decode(text);
        decoded.expect("a picture is base64")
    }

    /// A command of the browser's own protocol.
    pub fn devtools(&self, command: &str, parameters: &Value) -> Value {
        self.send(
            "/goog/cdp/execute",
            &json!({"cmd": command, "params": parameters}),
        )
    }

    fn send(&self, path: &str, body: &Value) -> Value {
        self.ask("POST", path, Some(body))
    }

    fn ask(&self, method: &str, path: &str, body: Option<&Value>) -> Value {
        let address = format!("{}{path}", self.session);
        let answer = match body {
            Some(body) => self.agent.post(&address).send_json(body),
            None => self.agent.get(&address).call(),
        };
        let mut answer = answer.expect("chromedriver answers");
        let limited = answer.body_mut().with_config().limit(1 << 30);
        let whole: Value = limited.read_json().expect("the answer is JSON");
        let value = whole["value"].clone();
        let error = value.get("error").and_then(Value::as_str);
        assert!(
            error.is_none() || !value["stacktrace"].is_string(),
            "{method} {path}: {}: {}",
            error.unwrap_or_default(),
            value["message"]
        );
        value
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.agent.delete(&self.session).call();
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

/// The port that chromedriver says it listens on.
fn port_of(driver: &mut Child) -> u16 {
    let out = driver.stdout.take().expect("its output is ours");
    let mut lines = BufReader::new(out).lines();
    let port = lines.find_map(|line| {
        let line = line.ok()?;
        let rest = line.split("started successfully on port ").nth(1)?;
        rest.trim_end_matches('.').parse().ok()
    });
    // It may say more later, and must not wait for somebody to listen.
    std::thread::spawn(move || lines.for_each(drop));
    port.expect("chromedriver says on which port it listens")
}

/// Where tests/setup puts axe-core.
fn axe() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent();
    let root = root.expect("the program's crate lies in the workspace");
    root.join("tests/node_modules/axe-core/axe.min.js")
}

//! CPU time, memory and instructions of a contender, each in a process of its
//! own, so that neither memory nor allocators meet.

use crate::contenders::{Contender, Files};
use anyhow::{Context, bail};
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// What one run cost, and what it found.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Sample {
    /// User and system CPU time in nanoseconds.
    pub cpu_ns: u64,
    /// Peak resident memory in KiB, of the process as a whole.
    pub peak_kib: u64,
    /// Moves reported.
    pub moves: usize,
    /// Old lines kept in place.
    pub kept: usize,
    /// Work budgets that ran out.
    pub limits: Vec<String>,
}

/// Whose CPU time counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    /// This process.
    Me,
    /// The children it waited for.
    MyChildren,
}

/// Runs `work` and fills in what it cost.
///
/// # Errors
/// Those of `work`, or if the system does not tell CPU times.
pub fn time(who: Who, work: impl FnOnce() -> anyhow::Result<Sample>) -> anyhow::Result<Sample> {
    let before = cpu(who)?;
    let mut sample = work()?;
    sample.cpu_ns = cpu(who)?.saturating_sub(before).as_nanos() as u64;
    sample.peak_kib = peak_kib();
    Ok(sample)
}

#[cfg(unix)]
fn cpu(who: Who) -> anyhow::Result<Duration> {
    use nix::sys::resource::{UsageWho, getrusage};
    let usage = getrusage(match who {
        Who::Me => UsageWho::RUSAGE_SELF,
        Who::MyChildren => UsageWho::RUSAGE_CHILDREN,
    })?;
    let micros = |time: nix::sys::time::TimeVal| time.tv_sec() * 1_000_000 + time.tv_usec();
    Ok(Duration::from_micros(u64::try_from(
        micros(usage.user_time()) + micros(usage.system_time()),
    )?))
}

#[cfg(not(unix))]
fn cpu(_who: Who) -> anyhow::Result<Duration> {
    bail!("CPU times are measured on Unix only")
}

/// `VmHWM` of this process; 0 where there is no `/proc`.
fn peak_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|rest| rest.trim().trim_end_matches(" kB").parse().ok())
        .unwrap_or(0)
}

/// Keeps the user's git configuration out of a measurement.
pub fn without_git_config(command: &mut Command) {
    command
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_SYSTEM", "/dev/null");
}

/// Runs contenders as children of this process.
#[derive(Clone, Debug)]
pub struct Runner<'a> {
    /// The `mvdiff` program, if it takes part.
    pub program: Option<&'a Path>,
    /// When a run is given up.
    pub timeout: Duration,
}

impl Runner<'_> {
    /// One run in a fresh process; `None` if it was given up.
    ///
    /// # Errors
    /// If the run failed or its report cannot be read.
    pub fn sample(&self, contender: Contender, files: &Files) -> anyhow::Result<Option<Sample>> {
        let mut command = Command::new(std::env::current_exe()?);
        self.one(&mut command, contender, files);
        let Some(output) = finish(command, Stdio::inherit(), self.timeout)? else {
            return Ok(None);
        };
        let sample = serde_json::from_slice(&output.stdout);
        Ok(Some(sample.with_context(|| {
            format!("{} reported nothing", contender.name())
        })?))
    }

    /// Instructions of one run under callgrind, without what starting a process
    /// takes; `None` if it was given up.
    ///
    /// # Errors
    /// If valgrind cannot be run or says nothing.
    pub fn instructions(&self, contender: Contender, files: &Files) -> anyhow::Result<Option<u64>> {
        let start = self.callgrind(Contender::Idle, files)?;
        let all = self.callgrind(contender, files)?;
        Ok(all.zip(start).map(|(all, start)| all - start))
    }

    fn callgrind(&self, contender: Contender, files: &Files) -> anyhow::Result<Option<u64>> {
        let mut command = Command::new("valgrind");
        command.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]);
        command.arg(std::env::current_exe()?);
        self.one(&mut command, contender, files);
        let Some(output) = finish(command, Stdio::piped(), self.timeout)? else {
            return Ok(None);
        };
        let said = String::from_utf8_lossy(&output.stderr);
        let collected = said.lines().find_map(|line| line.split_once("Collected :"));
        let (_, count) =
            collected.with_context(|| format!("callgrind counted nothing:\n{said}"))?;
        Ok(Some(count.trim().parse()?))
    }

    fn one(&self, command: &mut Command, contender: Contender, files: &Files) {
        command
            .args(["one", &contender.name()])
            .args([&files.old, &files.new]);
        if let Some(program) = self.program {
            command.arg("--bin").arg(program);
        }
    }
}

/// Waits for `command`, or ends it and everything it started.
fn finish(
    mut command: Command,
    errors: Stdio,
    timeout: Duration,
) -> anyhow::Result<Option<std::process::Output>> {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(errors);
    in_a_group(&mut command);
    let mut child = command
        .spawn()
        .with_context(|| format!("cannot run {}", command.get_program().display()))?;
    let start = Instant::now();
    // The reports are shorter than a pipe holds, so nothing has to read yet.
    while child.try_wait()?.is_none() {
        if start.elapsed() > timeout {
            end_group(&mut child)?;
            child.wait()?;
            return Ok(None);
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    let output = child.wait_with_output()?;
    if !output.status.success() {
        bail!(
            "{:?} ended with {}\n{}",
            command,
            output.status,
            String::from_utf8_lossy(&output.stderr)
        );
    }
    Ok(Some(output))
}

#[cfg(unix)]
fn in_a_group(command: &mut Command) {
    std::os::unix::process::CommandExt::process_group(command, 0);
}

#[cfg(not(unix))]
fn in_a_group(_command: &mut Command) {}

#[cfg(unix)]
fn end_group(child: &mut Child) -> anyhow::Result<()> {
    use nix::sys::signal::{Signal, killpg};
    use nix::unistd::Pid;
    Ok(killpg(
        Pid::from_raw(child.id().cast_signed()),
        Signal::SIGKILL,
    )?)
}

#[cfg(not(unix))]
fn end_group(child: &mut Child) -> anyhow::Result<()> {
    Ok(child.kill()?)
}

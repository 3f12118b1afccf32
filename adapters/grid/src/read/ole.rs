//! Compound files, which hold `.xls` workbooks, before calamine reads them.

use super::error::ReadError;

/// Numbers from here on mean something else than a sector.
const RESERVED: u32 = 0xFFFF_FFFA;
/// Bytes of an entry of the directory.
const ENTRY: usize = 128;
/// Streams of at least this length have sectors of their own.
const LARGE: u64 = 4096;

/// Refuses files with chains of sectors that lead back to themselves: calamine
/// follows the directory's without an end, and others for as long as they claim to
/// be. What else is wrong is for calamine to say.
pub(super) fn check(part: &str, bytes: &[u8]) -> Result<(), ReadError> {
    let loops = || ReadError::malformed(part, "its sectors form a loop");
    let Some(file) = Sectors::new(bytes) else {
        return Ok(());
    };
    let table = file.table();
    let endless = || ReadError::malformed(part, "its table of sectors has no end");
    let mut fat = Chains::new(table.ok_or_else(endless)?);
    let directory = fat.chain(file.number(48)).ok_or_else(loops)?;
    let mini = fat.chain(file.number(60)).ok_or_else(loops)?;
    let mut mini = Chains::new(file.numbers(&mini));
    let mut is_root = true;
    for sector in directory {
        for entry in file.get(sector).chunks_exact(ENTRY) {
            let (start, low, high) = (u32_at(entry, 116), u32_at(entry, 120), u32_at(entry, 124));
            let high = if file.size == 512 { 0 } else { high };
            let length = u64::from(high) << 32 | u64::from(low);
            // The root has the small streams.
            let of = if is_root || length >= LARGE {
                &mut fat
            } else {
                &mut mini
            };
            if !of.ends(start) {
                return Err(loops());
            }
            is_root = false;
        }
    }
    Ok(())
}

/// The sectors of a file.
struct Sectors<'b> {
    bytes: &'b [u8],
    size: usize,
}

impl<'b> Sectors<'b> {
    fn new(bytes: &'b [u8]) -> Option<Self> {
        let size = match bytes.get(30..32)? {
            [9, 0] => 512,
            [12, 0] => 4096,
            _ => return None,
        };
        (bytes.len() >= 512).then_some(Self { bytes, size })
    }

    /// A number of the header.
    fn number(&self, at: usize) -> u32 {
        u32_at(self.bytes, at)
    }

    /// A sector, or what there is of it.
    fn get(&self, sector: u32) -> &'b [u8] {
        // The header is where the first would be.
        let start = (sector as usize)
            .saturating_add(1)
            .saturating_mul(self.size);
        let end = start.saturating_add(self.size).min(self.bytes.len());
        self.bytes.get(start..end).unwrap_or_default()
    }

    /// The numbers in sectors.
    fn numbers(&self, sectors: &[u32]) -> Vec<u32> {
        let numbers = |sector: &u32| self.get(*sector).chunks_exact(4).map(|n| u32_at(n, 0));
        sectors.iter().flat_map(numbers).collect()
    }

    /// The sector that follows each; none if the list of the sectors that say so has
    /// no end, or is longer than the file.
    fn table(&self) -> Option<Vec<u32>> {
        let first = self.bytes[76..512].chunks_exact(4);
        let mut sectors: Vec<u32> = first.map(|n| u32_at(n, 0)).collect();
        let mut next = self.number(68);
        let mut most = self.bytes.len() / self.size;
        while next < RESERVED {
            most = most.checked_sub(1)?;
            let mut more = self.numbers(&[next]);
            next = more.pop().unwrap_or(RESERVED);
            sectors.extend(more);
        }
        sectors.retain(|sector| *sector < RESERVED);
        (sectors.len() <= self.bytes.len() / self.size).then(|| self.numbers(&sectors))
    }
}

/// Chains of sectors.
struct Chains {
    next: Vec<u32>,
    /// Sectors that are known to lead to an end.
    ends: Vec<bool>,
}

impl Chains {
    fn new(next: Vec<u32>) -> Self {
        let ends = vec![false; next.len()];
        Self { next, ends }
    }

    /// The sectors of a chain, if it has an end.
    fn chain(&mut self, start: u32) -> Option<Vec<u32>> {
        let mut sectors = Vec::new();
        let mut at = start;
        while at < RESERVED {
            if sectors.len() > self.next.len() {
                return None;
            }
            sectors.push(at);
            let Some(next) = self.next.get(at as usize) else {
                break;
            };
            at = *next;
        }
        Some(sectors)
    }

    /// Whether a chain has an end. Each sector is looked at once.
    fn ends(&mut self, start: u32) -> bool {
        let mut at = start as usize;
        let mut passed = Vec::new();
        while self.ends.get(at) == Some(&false) {
            if passed.len() > self.next.len() {
                return false;
            }
            passed.push(at);
            at = self.next[at] as usize;
        }
        for sector in passed {
            self.ends[sector] = true;
        }
        true
    }
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    let bytes = bytes
        .get(at..at + 4)
        .and_then(|bytes| bytes.try_into().ok());
    u32::from_le_bytes(bytes.unwrap_or([0xff; 4]))
}

#[cfg(test)]
mod tests {
    use super::check;

    /// A file with a table of sectors and a directory of two entries: the root, which
    /// is empty, and a stream in the third sector.
    fn file(next: [u32; 3], first_list: u32) -> Vec<u8> {
        let mut bytes = vec![0xff; 512 * 4];
        let mut put = |at: usize, number: u32| {
            bytes[at..at + 4].copy_from_slice(&number.to_le_bytes());
        };
        put(30, 0x0006_0009); // sectors of 512 bytes
        put(48, 1); // the directory
        put(68, first_list);
        put(76, 0); // the table
        for (at, number) in next.into_iter().enumerate() {
            put(512 + 4 * at, number);
        }
        for entry in [1024 + 128, 1024 + 256, 1024 + 384] {
            put(entry + 116, 2);
            put(entry + 120, 5000);
        }
        bytes
    }

    #[test]
    fn chains_that_lead_back_are_refused() {
        let (end, table) = (0xFFFF_FFFE, 0xFFFF_FFFD);
        let is_fine = |next, first| check("it", &file(next, first)).is_ok();
        assert!(is_fine([table, end, end], end));
        assert!(!is_fine([table, 1, end], end), "the directory");
        assert!(!is_fine([table, end, 2], end), "a stream");
        assert!(!is_fine([table, 2, 1], end), "the directory, by a stream");
        let mut looping = file([table, end, end], 2);
        let last = looping.len() - 4;
        looping[last..].copy_from_slice(&2u32.to_le_bytes());
        assert!(check("it", &looping).is_err(), "the list of tables");
        for length in 0..looping.len() {
            let _ = check("it", &looping[..length]);
        }
    }
}

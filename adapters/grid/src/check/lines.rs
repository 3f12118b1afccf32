//! Rows or columns as operations tell them.

/// What is reported of rows, or of columns.
#[derive(Default)]
pub(super) struct Lines {
    pub gone: Vec<u32>,
    pub come: Vec<u32>,
    /// Where from, how many, where to.
    pub moved: Vec<(u32, u32, u32)>,
    /// Where each old line went; those beyond went on from there.
    to: Vec<Option<u32>>,
    beyond: u32,
}

impl Lines {
    /// Lets the lines that nothing is reported of fill the places that are left.
    ///
    /// # Errors
    /// The line that two operations claim.
    pub fn settle(&mut self, extent: u32) -> Result<(), u32> {
        if self.is_still() {
            return Ok(());
        }
        let ends = self
            .moved
            .iter()
            .flat_map(|&(src, len, dst)| [src + len, dst + len]);
        let lines = self.gone.iter().chain(&self.come).map(|line| line + 1);
        let end = ends.chain(lines).max().unwrap_or(0).max(extent);
        // Every line that came makes room for one more that is reported.
        let size = end as usize + self.come.len() + self.gone.len();
        let mut to: Vec<Option<Option<u32>>> = vec![None; size];
        let mut taken = vec![false; size];
        for &line in &self.gone {
            if to[line as usize].replace(None).is_some() {
                return Err(line);
            }
        }
        for &line in &self.come {
            if std::mem::replace(&mut taken[line as usize], true) {
                return Err(line);
            }
        }
        for &(src, len, dst) in &self.moved {
            for i in 0..len {
                if to[(src + i) as usize].replace(Some(dst + i)).is_some() {
                    return Err(src + i);
                }
                if std::mem::replace(&mut taken[(dst + i) as usize], true) {
                    return Err(dst + i);
                }
            }
        }
        let mut next = 0;
        let mut free = || {
            while taken.get(next).copied().unwrap_or(false) {
                next += 1;
            }
            next += 1;
            next as u32 - 1
        };
        self.to = to
            .into_iter()
            .map(|line| line.unwrap_or_else(|| Some(free())))
            .collect();
        self.beyond = free();
        Ok(())
    }

    /// Where a line went; none if it is gone.
    pub fn get(&self, line: u32) -> Option<u32> {
        match self.to.get(line as usize) {
            Some(to) => *to,
            None if self.is_still() => Some(line),
            None => Some(line - self.to.len() as u32 + self.beyond),
        }
    }

    /// Whether nothing is reported.
    pub fn is_still(&self) -> bool {
        self.gone.is_empty() && self.come.is_empty() && self.moved.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::Lines;

    #[test]
    fn lines_fill_the_places_that_are_left() {
        let mut lines = Lines {
            gone: vec![1],
            come: vec![3, 6],
            moved: vec![(4, 2, 0)],
            ..Lines::default()
        };
        lines.settle(7).unwrap();
        let places = [0, 1, 2, 3, 4, 5, 6, 9].map(|line| lines.get(line));
        let expected = [2, 99, 4, 5, 0, 1, 7, 10].map(|to| (to < 99).then_some(to));
        assert_eq!(places, expected);
    }

    #[test]
    fn a_line_that_is_told_twice_is_found() {
        let mut lines = Lines {
            gone: vec![2],
            moved: vec![(2, 1, 5)],
            ..Lines::default()
        };
        assert_eq!(lines.settle(9), Err(2));
    }
}

//! One law under libFuzzer: `MVDIFF_TARGET` names it. `MVDIFF_SEEDS` names a folder, into
//! which its seeds are written first.

#![no_main]

use libfuzzer_sys::fuzz_target;
use mvdiff_fuzz::{Corpus, TARGETS, Target};
use std::sync::OnceLock;

fn target() -> &'static Target {
    static TARGET: OnceLock<&Target> = OnceLock::new();
    TARGET.get_or_init(|| {
        let name = std::env::var("MVDIFF_TARGET").unwrap_or_default();
        let found = TARGETS.iter().find(|target| target.name == name);
        found.unwrap_or_else(|| panic!("MVDIFF_TARGET={name}: no such target"))
    })
}

fuzz_target!(
    init: {
        if let Some(folder) = std::env::var_os("MVDIFF_SEEDS") {
            let corpus = Corpus::new(target()).expect("the fixtures");
            std::fs::create_dir_all(&folder).expect("a folder for seeds");
            for (at, seed) in corpus.seeds.iter().enumerate() {
                let cut = &seed[..seed.len().min(corpus.longest)];
                let path = std::path::Path::new(&folder).join(format!("seed-{at:04}"));
                std::fs::write(path, cut).expect("a seed");
            }
        }
    },
    |input: &[u8]| (target().law)(input)
);

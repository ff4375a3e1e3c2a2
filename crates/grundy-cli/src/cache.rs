//! Proved laws kept on disk: one plain file for each ruleset, in the user's cache folder.
//!
//! A file is written under another name and then renamed, so that several processes and a
//! crash at any moment leave whole files only. Whoever reads one checks the certificate in it
//! again, so that a damaged or forged file costs time and nothing else.

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;

use etcetera::BaseStrategy as _;
use grundy::answer::learn::Shelf;
use tempfile::NamedTempFile;

/// The folder of proved laws, or none.
pub struct Cache {
    folder: Option<PathBuf>,
}

/// A certificate larger than this is not read: the largest that `law` writes are below.
const MOST_BYTES: u64 = 64 << 20;

impl Cache {
    /// The user's cache; none if `disabled`, or if the platform names no folder.
    pub fn open(disabled: bool) -> Self {
        let folder = || {
            Some(
                etcetera::choose_base_strategy()
                    .ok()?
                    .cache_dir()
                    .join("grundy"),
            )
        };
        Self {
            folder: if disabled { None } else { folder() },
        }
    }

    fn path(&self, key: &str) -> Option<PathBuf> {
        Some(self.folder.as_ref()?.join(format!("{key}.json")))
    }

    fn try_store(&self, key: &str, certificate: &str) -> Option<()> {
        let (folder, path) = (self.folder.as_ref()?, self.path(key)?);
        fs::create_dir_all(folder).ok()?;
        let mut file = NamedTempFile::new_in(folder).ok()?;
        file.write_all(certificate.as_bytes()).ok()?;
        file.persist(path).ok()?;
        Some(())
    }
}

impl Shelf for Cache {
    fn load(&self, key: &str) -> Option<String> {
        let path = self.path(key)?;
        let is_small = fs::metadata(&path).ok()?.len() <= MOST_BYTES;
        is_small.then(|| fs::read_to_string(path).ok()).flatten()
    }

    fn store(&self, key: &str, certificate: &str) {
        // Not being able to keep a law is no reason to keep an answer back.
        let _ = self.try_store(key, certificate);
    }
}

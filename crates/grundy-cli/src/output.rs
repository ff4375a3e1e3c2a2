//! Where results go.

use std::fs::{self, File, Permissions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anstream::AutoStream;
use tempfile::NamedTempFile;

use crate::status::Failure;
use crate::text;

/// The standard output, with colours where they are wanted.
pub fn open() -> Box<dyn Write + Send> {
    Box::new(BufWriter::new(AutoStream::auto(io::stdout())))
}

/// Where a table or a picture is written: the standard output, or a file that appears whole or
/// not at all.
pub enum Output {
    /// The standard output.
    Standard,
    /// What is no regular file, such as a device or a pipe.
    Stream(PathBuf),
    /// A regular file, or one that is not there yet.
    File(PathBuf),
}

impl Output {
    /// The output that an option names. A file that is there already is an error, unless it may
    /// be written over.
    pub fn new(path: Option<&Path>, may_exist: bool) -> Result<Self, Failure> {
        let Some(path) = path else {
            return Ok(Self::Standard);
        };
        match fs::metadata(path) {
            Ok(found) if found.is_dir() => Err(Failure::Input(text::is_folder(path))),
            Ok(found) if !found.is_file() => Ok(Self::Stream(path.to_owned())),
            Ok(_) if !may_exist => Err(Failure::Input(text::exists(path))),
            // What a link points to is written, and the link stays.
            Ok(_) => Ok(Self::File(fs::canonicalize(path).map_err(at(path))?)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                // Better known before the work than behind it.
                tempfile::tempfile_in(folder(path)).map_err(at(path))?;
                Ok(Self::File(path.to_owned()))
            }
            Err(error) => Err(at(path)(error)),
        }
    }

    /// Writes it all. On an error a file that was there before is as it was.
    pub fn write(
        &self,
        content: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<()>,
    ) -> Result<(), Failure> {
        match self {
            Self::Standard => {
                let mut out = open();
                content(&mut *out)?;
                out.flush()?;
                Ok(())
            }
            Self::Stream(path) => {
                let mut out = BufWriter::new(File::create(path).map_err(at(path))?);
                content(&mut out)
                    .and_then(|()| out.flush())
                    .map_err(at(path))
            }
            Self::File(path) => replace(path, content).map_err(at(path)),
        }
    }
}

/// Writes a file under another name, makes sure that it is on the disk, and renames it.
pub fn replace(
    path: &Path,
    content: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<()>,
) -> io::Result<()> {
    let folder = folder(path);
    let mut builder = tempfile::Builder::new();
    builder.prefix(".grundy-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // As any new file: what the user's mask leaves; an old file keeps what it has.
        builder.permissions(Permissions::from_mode(0o666));
    }
    let file = builder.tempfile_in(folder)?;
    if let Ok(found) = fs::metadata(path) {
        file.as_file().set_permissions(found.permissions())?;
    }
    let file = written(file, content)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    sync_folder(folder)
}

fn written(
    file: NamedTempFile,
    content: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<()>,
) -> io::Result<NamedTempFile> {
    let mut out = BufWriter::new(file);
    content(&mut out)?;
    out.into_inner().map_err(io::IntoInnerError::into_error)
}

/// The folder that a file is in.
pub fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

/// Makes sure that new names in a folder survive a crash of the machine.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) {
        File::open(folder)?.sync_all()?;
    }
    Ok(())
}

/// What to say of an error with this file.
pub fn at(path: &Path) -> impl Fn(io::Error) -> Failure {
    move |error| match error.kind() {
        io::ErrorKind::BrokenPipe => Failure::ReaderGone,
        _ => Failure::Input(text::cannot_write(path, &error)),
    }
}

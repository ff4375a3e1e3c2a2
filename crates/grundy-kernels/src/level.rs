//! Which instructions a kernel may use, chosen when the program runs.

/// A set of instructions that this processor has.
///
/// Kernels are written once, as loops over small arrays of fixed length. Each is compiled for
/// every level, and the compiler turns the loops into the vectors of that level. So no level can differ
/// from another by more than its speed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level(Instructions);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Instructions {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

/// Work that is compiled for every level. `run` must be `#[inline(always)]`, and so must be what it
/// calls in its loops: code that is not inlined is compiled without the instructions of the level.
pub(crate) trait Job {
    type Output;
    fn run(self) -> Self::Output;
}

impl Level {
    /// The fastest level of this processor.
    pub fn best() -> Self {
        let all = Self::all();
        all[all.len() - 1]
    }

    /// The levels that this processor has, the portable one first.
    pub fn all() -> Vec<Self> {
        #[allow(unused_mut)] // Other processors have one level.
        let mut all = vec![Self(Instructions::Portable)];
        #[cfg(target_arch = "x86_64")]
        {
            let avx2 = is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("lzcnt")
                && is_x86_feature_detected!("popcnt");
            let avx512 = avx2
                && is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512cd")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512vl")
                && is_x86_feature_detected!("avx512vbmi")
                && is_x86_feature_detected!("avx512vbmi2")
                && is_x86_feature_detected!("avx512bitalg")
                && is_x86_feature_detected!("avx512vpopcntdq");
            if avx2 {
                all.push(Self(Instructions::Avx2));
            }
            if avx512 {
                all.push(Self(Instructions::Avx512));
            }
        }
        all
    }

    /// Sets of at most so many words are filled faster in vectors, one bit in each lane, than one by one: each lane must be
    /// shifted by a number of its own.
    pub(crate) fn words_in_vectors(self) -> usize {
        match self.0 {
            Instructions::Portable => 0,
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => 2,
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512 => 4,
        }
    }

    /// How long comparing so many bytes in each of 256 places with one value takes, in nanoseconds at best.
    pub(crate) fn work_of_bytes(self, bytes: usize) -> usize {
        // Measured: 1.05 times the bytes with vectors and 2.6 times without.
        let times = if self.0 == Instructions::Portable {
            3
        } else {
            1
        };
        times * bytes
    }

    /// Does the work with the instructions of this level.
    #[inline]
    #[allow(unsafe_code)] // Calling a function whose instructions were detected.
    pub(crate) fn run<J: Job>(self, job: J) -> J::Output {
        match self.0 {
            Instructions::Portable => job.run(),
            // SAFETY: a level is made by `all` alone, which pushes this one only where the processor
            // has every feature that the function enables.
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => unsafe { avx2(job) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512 => unsafe { avx512(job) },
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn avx2<J: Job>(job: J) -> J::Output {
    job.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(
    enable = "avx2,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,avx512bitalg,avx512vpopcntdq"
)]
fn avx512<J: Job>(job: J) -> J::Output {
    job.run()
}

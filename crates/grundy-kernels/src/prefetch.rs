//! Asking for memory before it is needed.

/// Asks the processor to have a place of a slice at hand soon; a place behind the end is nothing.
///
/// Nothing that can be observed changes but the time that it takes to read the place. Elsewhere than on x86-64 nothing
/// is done.
#[inline(always)]
pub fn prefetch<T>(slice: &[T], index: usize) {
    if let Some(place) = slice.get(index) {
        // SAFETY: the instruction is part of every x86-64 processor, and reads nothing that the program sees.
        #[cfg(target_arch = "x86_64")]
        #[allow(unsafe_code)]
        // Of all intrinsics that take a place this one cannot do harm.
        unsafe {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(place).cast());
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = place;
    }
}

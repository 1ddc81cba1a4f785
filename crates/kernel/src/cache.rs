//! Reading ahead: a large simulation does not fit the caches, and what it needs next is often known well before.

/// Asks for the cache line in which `value` begins, without waiting for it. Does nothing where the processor has no such
/// instruction or this crate does not know it.
#[inline(always)]
pub fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    // Measured gain: see BENCHMARKS.md, "Reading ahead". There is no safe form of this instruction.
    // SAFETY: a prefetch reads nothing and never faults, whatever the address; this one is a reference's.
    #[expect(unsafe_code, reason = "the only way to prefetch; measured in BENCHMARKS.md")]
    unsafe {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(core::ptr::from_ref(value).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}

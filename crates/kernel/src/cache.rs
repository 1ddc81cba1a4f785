//! Reading ahead: a large simulation does not fit the caches, and what it needs next is often known well before.

/// Asks for the cache line that holds `word`, without waiting for it. Where this crate knows no instruction for that, as in
/// WebAssembly, the word is read: the processor goes on meanwhile as far as it can.
#[inline(always)]
pub fn prefetch(word: &u64) {
    #[cfg(target_arch = "x86_64")]
    // Measured gain: see BENCHMARKS.md, "Reading ahead". There is no safe form of this instruction.
    // SAFETY: a prefetch reads nothing and never faults, whatever the address; this one is a reference's.
    #[expect(unsafe_code, reason = "the only way to prefetch; measured in BENCHMARKS.md")]
    unsafe {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(core::ptr::from_ref(word).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    core::hint::black_box(*word);
}

//! How much memory the worker has.

/// Size of the WebAssembly memory in bytes, which never shrinks. None outside WebAssembly.
pub fn bytes() -> Option<u64> {
    #[cfg(target_arch = "wasm32")]
    {
        // Pages of 64 KiB, by the WebAssembly specification.
        Some(core::arch::wasm32::memory_size::<0>() as u64 * (64 << 10))
    }
    #[cfg(not(target_arch = "wasm32"))]
    {
        None
    }
}

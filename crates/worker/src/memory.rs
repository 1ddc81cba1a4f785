//! How much memory the worker has, and how much of it is in use.

use cap::Cap;
use std::alloc::System;

// Counts what is allocated: what a copy of a run takes cannot be told from its type.
#[global_allocator]
static HEAP: Cap<System> = Cap::new(System, usize::MAX);

/// Bytes that are allocated now.
pub fn heap() -> u64 {
    HEAP.allocated() as u64
}

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

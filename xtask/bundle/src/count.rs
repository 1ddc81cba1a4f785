//! Makes a module count the instructions that it executes.
//!
//! Every stretch of instructions that are executed all or not at all first adds its length to a counter. The count
//! depends on the module and on what it is asked to do, on nothing else: not on the machine, its load or its caches.

use walrus::ir::{
    BinaryOp, Binop, Const, GlobalGet, GlobalSet, Instr, InstrLocId, InstrSeq, Value, VisitorMut,
    dfs_pre_order_mut,
};
use walrus::{ConstExpr, GlobalId, Module, ValType};

/// The exported counter, an `i64`.
const EXPORT: &str = "executed_instructions";

/// Adds the counter. `block`, `loop`, `else` and `end` are no instructions here: they do nothing.
pub fn instructions(module: &mut Module) {
    let counter = module
        .globals
        .add_local(ValType::I64, true, false, ConstExpr::Value(Value::I64(0)));
    module.exports.add(EXPORT, counter);
    for (_, function) in module.funcs.iter_local_mut() {
        let entry = function.entry_block();
        dfs_pre_order_mut(&mut Counter(counter), function, entry);
    }
}

struct Counter(GlobalId);

impl VisitorMut for Counter {
    fn start_instr_seq_mut(&mut self, sequence: &mut InstrSeq) {
        let instructions = std::mem::take(&mut sequence.instrs);
        let mut stretch = Vec::new();
        for (instruction, place) in instructions {
            let ends = may_leave(&instruction);
            stretch.push((instruction, place));
            if ends {
                self.close(&mut stretch, &mut sequence.instrs);
            }
        }
        self.close(&mut stretch, &mut sequence.instrs);
    }
}

impl Counter {
    /// Moves a stretch to where it belongs, its length before it.
    fn close(&self, stretch: &mut Vec<(Instr, InstrLocId)>, into: &mut Vec<(Instr, InstrLocId)>) {
        let length = stretch
            .iter()
            .filter(|(instruction, _)| executes(instruction))
            .count();
        if length > 0 {
            let add: [Instr; 4] = [
                GlobalGet { global: self.0 }.into(),
                Const {
                    value: Value::I64(length as i64),
                }
                .into(),
                Binop { op: BinaryOp::I64Add }.into(),
                GlobalSet { global: self.0 }.into(),
            ];
            into.extend(add.map(|instruction| (instruction, InstrLocId::default())));
        }
        into.append(stretch);
    }
}

fn executes(instruction: &Instr) -> bool {
    !matches!(instruction, Instr::Block(_) | Instr::Loop(_))
}

/// Whether what follows may be executed less or more often than what comes before. A call returns.
fn may_leave(instruction: &Instr) -> bool {
    matches!(
        instruction,
        Instr::Block(_)
            | Instr::Loop(_)
            | Instr::IfElse(_)
            | Instr::Br(_)
            | Instr::BrIf(_)
            | Instr::BrTable(_)
            | Instr::Return(_)
            | Instr::Unreachable(_)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;
    use walrus::{FunctionBuilder, LocalId};

    /// Appends `n -= 1`.
    fn decrement(body: &mut walrus::InstrSeqBuilder, n: LocalId) {
        body.local_get(n)
            .i32_const(1)
            .binop(BinaryOp::I32Sub)
            .local_set(n);
    }

    /// `f(n)` takes 1 from n until it is 0, and once more if n was odd at first.
    fn module() -> Module {
        let mut module = Module::default();
        let n = module.locals.add(ValType::I32);
        let mut f = FunctionBuilder::new(&mut module.types, &[ValType::I32], &[]);
        let mut body = f.func_body();
        body.local_get(n).i32_const(1).binop(BinaryOp::I32And);
        body.if_else(None, |odd| decrement(odd, n), |_| {});
        body.block(None, |done| {
            let out = done.id();
            done.loop_(None, |again| {
                let top = again.id();
                again.local_get(n).unop(walrus::ir::UnaryOp::I32Eqz).br_if(out);
                decrement(again, n);
                again.br(top);
            });
        });
        let f = f.finish(vec![n], &mut module.funcs);
        module.exports.add("f", f);
        module
    }

    #[test]
    fn what_is_executed_is_counted_and_nothing_else() {
        let mut module = module();
        instructions(&mut module);
        let bytes = module.emit_wasm();
        let script = format!(
            "const {{ f, executed_instructions: c }} = new WebAssembly.Instance(new WebAssembly.Module(
             new Uint8Array({bytes:?}))).exports;
             console.log([0, 1, 4, 5].map((n) => {{ const b = c.value; f(n); return Number(c.value - b); }}).join());"
        );
        let node = Command::new("node").args(["--eval", &script]).output().unwrap();
        let answer = String::from_utf8_lossy(&node.stdout).into_owned();
        // The test of the bit and the `if` are 4; an odd n costs 4 more. A round is 8, the last is 3.
        assert_eq!(
            answer.trim(),
            "7,11,39,43",
            "{}",
            String::from_utf8_lossy(&node.stderr)
        );
    }
}

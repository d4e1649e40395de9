import { expect, test } from 'vitest';
import { bindMacro } from '../src/syntax/bind-macro.ts';
import { MacroError } from '../src/syntax/macro.ts';
import { sortByMacro } from '../src/syntax/sort-by-macro.ts';
import { optionalMacros, standardMacros } from '../src/syntax/standard-macros.ts';
import { twoVariableMacros } from '../src/syntax/two-variable-macros.ts';
import { declaredVariables, declaresVariables, ExpressionBuilder } from '../src/syntax.ts';

const macros = [
  ...standardMacros,
  ...twoVariableMacros,
  ...optionalMacros,
  sortByMacro,
  bindMacro,
].filter(({ name }) => name !== 'has');

test.each(macros)('$name with $arity arguments', ({ name, arity, expand }) => {
  const count = Number(arity);
  const builder = (): ExpressionBuilder => {
    let id = 0;
    return new ExpressionBuilder(() => ++id, 0);
  };
  // An argument is a name where the macro refuses everything else.
  const isName = (at: number): boolean => {
    const build = builder();
    const values = Array.from({ length: count }, (_, i) =>
      i === at ? build.literal(1) : build.identifier(`x${i}`),
    );
    return expand(build, build.identifier('cel'), values) instanceof MacroError;
  };
  const names = Array.from({ length: count }, (_, i) => isName(i));
  expect(declaredVariables(name, count)).toBe(names.filter(Boolean).length);
  expect(names.lastIndexOf(true)).toBe(names.filter(Boolean).length - 1);
});

test('only macros declare variables', () => {
  expect(['has', 'size', 'constructor'].filter(declaresVariables)).toEqual([]);
  expect(declaredVariables('all', 4)).toBe(0);
});

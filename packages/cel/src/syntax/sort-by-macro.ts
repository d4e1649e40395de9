import { type Macro, MacroError } from './macro.ts';
import { bind, expandMap } from './standard-macros.ts';

/** `list.sortBy(x, key)`. */
export const sortByMacro: Macro = {
  name: 'sortBy',
  arity: 2,
  member: true,
  expand(build, target, values) {
    if (target === undefined) return undefined;
    if (target.kind === 'literal' || target.kind === 'map' || target.kind === 'struct') {
      return new MacroError(
        'sortBy can only be applied to a list, identifier, comprehension, call or select expression',
        target,
      );
    }
    const input = '@__sortBy_input__';
    const keys = expandMap(build, build.identifier(input), values);
    if (keys === undefined || keys instanceof MacroError) return keys;
    const sorted = build.memberCall('@sortByAssociatedKeys', build.identifier(input), keys);
    return bind(build, input, target, sorted);
  },
};

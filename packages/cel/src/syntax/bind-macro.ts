import { type Macro, MacroError } from './macro.ts';
import { bind } from './standard-macros.ts';

/** `cel.bind(name, value, body)`; not part of any Kubernetes version. */
export const bindMacro: Macro = {
  name: 'bind',
  arity: 3,
  member: true,
  expand(build, target, [variable, value, body]) {
    if (target?.kind !== 'identifier' || target.name !== 'cel' || !variable || !value || !body) {
      return undefined;
    }
    if (variable.kind !== 'identifier') {
      return new MacroError('cel.bind() variable names must be simple identifiers', variable);
    }
    return bind(build, variable.name, value, body);
  },
};

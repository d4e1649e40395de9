import type { Overload } from '../function-declaration.ts';
import { overload } from './signature.ts';

/** The forms of `matches`. */
export const matchesOverloads: readonly Overload[] = [
  overload('matches', '(string, string) -> bool'),
  overload('matches_string', 'string.(string) -> bool'),
];

import { phrases } from '@kubeadmit/random';
import { signatures } from './generate/signatures.ts';
import { argumentsOf, callText } from './version-cases.ts';

// Values of most functions' types and of none, with a size that costs would be computed from.
const values = phrases`
  optional.of("abcdefghijklmnopqrstuvwxyz")  optional.of([1, 2, 3])  optional.none()
  "abcdefghijklmnopqrstuvwxyz"  [1, "a", 2.5]  {"a": 1, "b": 2}  null
`;

/** Every function with each of its arguments in turn a value that the checker knows nothing about. */
export function* argumentCases(): Generator<string, void, undefined> {
  for (const signature of signatures) {
    if (!/^[\w.]+$/.test(signature.name)) continue;
    const own = argumentsOf(signature);
    for (const place of own.keys()) {
      for (const value of values) yield callText(signature, own.with(place, `dyn(${value})`));
    }
  }
}

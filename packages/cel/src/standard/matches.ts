import { recentTester } from '@kubeadmit/go/unstable-internal';
import type { FunctionDeclaration } from '../declarations/function-declaration.ts';
import { overload } from '../declarations/signature.ts';
import { isText } from '../values/accepts.ts';
import { nativeStringOf } from '../values/native-string.ts';
import { noOverload } from '../values/no-overload.ts';
import { CelError, type Value } from '../values/value.ts';

/** `matches`, with Go's regular expressions. */
export const matches: FunctionDeclaration = {
  name: 'matches',
  overloads: [
    overload('matches', '(string, string) -> bool'),
    overload('matches_string', 'string.(string) -> bool'),
  ],
  singleton: (text: Value, pattern: Value) => {
    if (typeof text !== 'string' || typeof pattern !== 'string') return noOverload();
    const regex = recentTester(pattern);
    return 'error' in regex ? new CelError(regex.error) : regex.test(text);
  },
  accepts: isText,
  specialize([, pattern]) {
    if (typeof pattern !== 'string') return undefined;
    const regex = recentTester(pattern);
    if ('error' in regex) return new CelError(regex.error);
    return (value: Value) => {
      const text = nativeStringOf(value);
      return text === undefined ? noOverload() : regex.test(text);
    };
  },
};

import { expect } from 'vitest';
import { type PolicyMatchers, policyMatchers } from './matchers.ts';

declare module 'vitest' {
  // A declaration that extends another one may leave out its default.
  interface Matchers<T> extends PolicyMatchers<T> {}
}

expect.extend(policyMatchers);

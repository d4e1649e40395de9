import { expect } from 'vitest';
import { type PolicyMatchers, policyMatchers } from './matchers.ts';

declare module 'vitest' {
  // biome-ignore lint/suspicious/noExplicitAny: the declaration that is extended has it.
  interface Matchers<T = any> extends PolicyMatchers<T> {}
}

expect.extend(policyMatchers);

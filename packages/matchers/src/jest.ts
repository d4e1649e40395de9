import { type PolicyMatchers, policyMatchers } from './matchers.ts';

declare global {
  namespace jest {
    interface Matchers<R> extends PolicyMatchers<R> {}
  }
}

interface Extendable {
  extend(matchers: typeof policyMatchers): void;
}

const { expect } = globalThis as { readonly expect?: Extendable };
if (expect === undefined) {
  throw new Error(
    'global `expect` not found; with `injectGlobals: false`, call expect.extend(policyMatchers)',
  );
}
expect.extend(policyMatchers);

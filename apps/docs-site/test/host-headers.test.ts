import { expect, test } from 'vitest';
import { hostHeaders } from '../src/build/site-files.ts';

test('the headers for hosts forbid that other sites frame a page', () => {
  expect(hostHeaders('/docs/')).toMatch(
    /^\/docs\/\*\n( {2}[\w-]+: .+\n)*? {2}Content-Security-Policy: frame-ancestors 'none'\n/,
  );
});

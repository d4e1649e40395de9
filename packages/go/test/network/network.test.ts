import { describe, expect, test } from 'vitest';
import {
  formatAddress,
  formatPrefix,
  maskPrefix,
  parseAddress,
  parsePrefix,
  parseUrl,
} from '../../src/index.ts';
import cases from '../cases/network.json' with { type: 'json' };

// The answers of Go 1.26 to the same strings.

describe('addresses (netip.ParseAddr)', () => {
  test.each(cases.addresses)('$text', ({ text, address, error }) => {
    const parsed = parseAddress(text);
    if ('error' in parsed) expect(parsed.error).toBe(error);
    else expect(formatAddress(parsed)).toBe(address);
  });
});

describe('networks (netip.ParsePrefix, masked)', () => {
  test.each(cases.prefixes)('$text', ({ text, masked, error }) => {
    const parsed = parsePrefix(text);
    if ('error' in parsed) expect(parsed.error).toBe(error);
    else expect(formatPrefix(maskPrefix(parsed))).toBe(masked);
  });
});

describe('URLs (url.ParseRequestURI, then url.Parse)', () => {
  test.each(cases.urls)('$text', ({ text, error, ...parts }) => {
    const parsed = parseUrl(text);
    if ('error' in parsed) {
      expect(parsed.error).toBe(error);
      return;
    }
    const { host, hostname, port, escapedPath } = parsed;
    expect({ url: String(parsed), host, hostname, port, path: escapedPath, text }).toEqual({
      ...parts,
      text,
    });
  });
});

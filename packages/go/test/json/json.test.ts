import { expect, test } from 'vitest';
import { escapeJson, quoteJson } from '../../src/json/escape-json.ts';
import { scanJson } from '../../src/json/scan-json.ts';
import cases from '../cases/json.json' with { type: 'json' };

test.each(cases.quoted as [string, string][])('the text %j is written as %s', (text, json) => {
  expect(quoteJson(text)).toBe(json);
});

test('lone surrogates are written as U+FFFD, pairs as they are', () => {
  expect(quoteJson('a\ud800b😀\udc00')).toBe('"a\\ufffdb😀\\ufffd"');
});

test('whole values are escaped', () => {
  expect(escapeJson(JSON.stringify({ '<': ['&', '\\<'] }))).toBe(
    '{"\\u003c":["\\u0026","\\\\\\u003c"]}',
  );
});

test.each(cases.errors as [string, string][])('the JSON %j has the error %j', (text, error) => {
  expect(scanJson(text).error ?? '').toBe(error);
});

test('members that an object has twice are told', () => {
  expect(scanJson('{"a":[{"b":1,"b":2}],"a":1}').duplicates).toEqual(['a[0].b', 'a']);
});

test('deep nesting is an error and no crash', () => {
  expect(scanJson('['.repeat(100_000)).error).toBe('exceeded max depth');
});

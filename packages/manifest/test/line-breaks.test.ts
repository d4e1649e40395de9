import { describe, expect, it } from 'vitest';
import { readManifests, Source } from '../src/index.ts';

const good = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: good}\n';

/**
 * Texts with line breaks of YAML 1.1. `kubectl annotate --local -o json` 1.37 and `kubectl kustomize` read
 * `data: {token: x}` in each of the first four.
 */
const hiding = [
  ['a lone carriage return that ends a comment', `${good}# note\rdata: {token: x}\n`],
  ['a next line that ends a comment', `${good}# note\u0085data: {token: x}\n`],
  ['a line separator that ends a comment', `${good}# note\u2028data: {token: x}\n`],
  ['a paragraph separator that ends a comment', `${good}# note\u2029data: {token: x}\n`],
  [
    'a text that seems to be a comment only',
    `# ${good}data: {token: x}`.replaceAll('\n', '\u0085'),
  ],
  [
    'a line separator that ends a block scalar',
    `${good}binaryData:\n  a: |\n    text\u2028data: {token: x}\n`,
  ],
  ['a separator of documents for kustomize', `${good}# note\u2028---\u2028data: {token: x}\n`],
  ['a comment of a second document', `${good}...\n${good}# note\u2028data: {token: x}\n`],
  ['a next line that goyaml folds to a space', `${good}data: {token: "a\u0085b"}\n`],
  ['a line separator after a space that goyaml drops', `${good}data: {token: "a \u2028b"}\n`],
  ['a byte order mark that goyaml reads as a part of a key', `\n\ufeff${good}`],
] as const;

/** Texts that kubectl and editors read alike. */
const harmless = [
  ['line separators in quotes', `${good}data: {token: "a\u2028b"}\n`, { token: 'a\u2028b' }],
  ['line breaks of Windows', `${good}data: {token: x}\n`.replaceAll('\n', '\r\n'), { token: 'x' }],
  [
    'a next line in JSON',
    '{"apiVersion":"v1","kind":"ConfigMap","data":{"token":"a\u0085b"}}',
    { token: 'a\u0085b' },
  ],
  ['a block that the text ends in', `${good}data:\n  token: |+ # a\n    b`, { token: 'b' }],
] as const;

describe('line breaks that Kubernetes reads and editors do not show', () => {
  it.each(hiding)('refuses %s', (_, text) => {
    const { manifests, problems } = readManifests(new Source('a.yaml', text));
    expect(manifests).toEqual([]);
    expect(problems).toEqual([
      expect.objectContaining({
        message: expect.stringMatching(/is a line break for Kubernetes|reads another value/),
      }),
    ]);
    expect(problems[0]?.isForeign).not.toBe(true);
  });

  it.each(harmless)('accepts %s', (_, text, data) => {
    const { manifests, problems } = readManifests(new Source('a.yaml', text));
    expect(problems).toEqual([]);
    expect(manifests.map(({ object }) => object['data'])).toEqual([data]);
  });
});

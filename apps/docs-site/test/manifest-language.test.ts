import { ensureSyntaxTree } from '@codemirror/language';
import { EditorState } from '@codemirror/state';
import { highlightTree, tagHighlighter, tags } from '@lezer/highlight';
import { describe, expect, test } from 'vitest';
import { manifestLanguage } from '../src/editor/manifest-language.ts';

const names = tagHighlighter([
  { tag: tags.propertyName, class: 'key' },
  { tag: tags.string, class: 'string' },
  { tag: tags.number, class: 'number' },
  { tag: tags.bool, class: 'bool' },
  { tag: tags.comment, class: 'comment' },
  { tag: tags.keyword, class: 'keyword' },
  { tag: tags.function(tags.variableName), class: 'function' },
  { tag: tags.special(tags.variableName), class: 'variable' },
]);

/** The coloured words of a text, each with its highlight. */
function coloured(text: string): string[] {
  const state = EditorState.create({ doc: text, extensions: [manifestLanguage] });
  const tree = ensureSyntaxTree(state, text.length, 10_000);
  if (tree === null) throw new Error('not parsed in time');
  const words: string[] = [];
  highlightTree(tree, names, (from, to, kind) => {
    words.push(`${kind} ${text.slice(from, to)}`);
  });
  return words;
}

describe('the colours of manifests', () => {
  test.each([
    ['kind: Pod # here', ['key kind', 'comment # here']],
    ['a: {b: 1, "c d": true}', ['key a', 'key b', 'number 1', 'key "c d"', 'bool true']],
    [
      "image: 'registry.example.com/web:1.0'",
      ['key image', "string 'registry.example.com/web:1.0'"],
    ],
    ['text: |\n  kind: Pod\nb: 1', ['key text', 'string kind: Pod', 'key b', 'number 1']],
    [
      '- expression: object.spec.replicas <= 5 && has(object.a)',
      ['key expression', 'variable object', 'number 5', 'function has', 'variable object'],
    ],
    [
      'expression: |\n  params.a in [true]\nmessage: no',
      ['key expression', 'variable params', 'keyword in', 'keyword true', 'key message', 'bool no'],
    ],
    ['a: &x b', ['key a']],
  ])('%j', (text, expected) => {
    expect(coloured(text)).toEqual(expected);
  });
});

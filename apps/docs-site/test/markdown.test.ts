// The element is made of texts alone, whatever the markdown: a little document is enough to see them.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { markdownElement } from '../src/editor/markdown.ts';

class TestElement {
  readonly children: (TestElement | string)[] = [];
  className = '';
  readonly tag: string;

  constructor(tag: string) {
    this.tag = tag;
  }

  append(...children: readonly (TestElement | string)[]): void {
    this.children.push(...children);
  }

  set textContent(text: string) {
    this.children.push(text);
  }

  toString(): string {
    return `<${this.tag}>${this.children.join('')}</${this.tag}>`;
  }
}

beforeAll(() => {
  vi.stubGlobal('document', { createElement: (tag: string) => new TestElement(tag) });
});
afterAll(() => {
  vi.unstubAllGlobals();
});

test.each([
  ['a **b** `c`', '<p>a <strong>b</strong> <code>c</code></p>'],
  ['``a`b``', '<p><code>a`b</code></p>'],
  ['`` `a ``', '<p><code>`a</code></p>'],
  ['\\[a\\](b) \\`c\\` \\*\\*d\\*\\*', '<p>[a](b) `c` **d**</p>'],
  ['**a\\_b**: c', '<p><strong>a_b</strong>: c</p>'],
  ['```cel\na\n```\n\nb', '<pre>a</pre><p>b</p>'],
  ['````cel\na\n```\nb\n````', '<pre>a\n```\nb</pre>'],
  ['- a\n- b', '<ul><li>a</li><li>b</li></ul>'],
])('%j', (text, html) => {
  expect(String(markdownElement(text, 'x'))).toBe(`<div>${html}</div>`);
});

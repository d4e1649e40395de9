import { expect, test } from 'vitest';
import { exportedNames } from '../../src/api-report/exported-names.ts';

const sources: Readonly<Record<string, string>> = {
  'a/index.ts': `
export { type Shape, draw, Canvas as Paper } from './draw.ts';
export type { Color } from './draw.ts';
export const zero: number = 0;
export interface Point {}
`,
  'a/draw.ts': `
export interface Shape {}
export type Color = string;
export function draw(): void {}
class Canvas {}
export { Canvas };
`,
  'a/star.ts': "export * from './draw.ts';\n",
  'a/lost.ts': "export { paint } from './draw.ts';\n",
};
const read = (path: string): string => sources[path] ?? '';

test('names are listed with their declarations', () => {
  expect(exportedNames('a/index.ts', read)).toEqual([
    { name: 'Color', kind: 'type' },
    { name: 'Paper', kind: 'class' },
    { name: 'Point', kind: 'type' },
    { name: 'Shape', kind: 'type' },
    { name: 'draw', kind: 'function' },
    { name: 'zero', kind: 'const' },
  ]);
});

test.each([
  ['a/star.ts', "a/star.ts: export * from './draw.ts'; is no export that can be listed"],
  ['a/lost.ts', 'a/draw.ts does not export paint, as a/lost.ts says'],
])('%s is refused', (path, message) => {
  expect(() => exportedNames(path, read)).toThrow(message);
});

import type { Type } from '@kubeadmit/cel';
import {
  boolType,
  dynType,
  intType,
  listOf,
  mapOf,
  optionalOf,
  stringType,
} from '@kubeadmit/cel/types';
import { type Random, words } from '@kubeadmit/random';
import { elementOf } from './leaves.ts';

/** Something that can be read by its name within a macro. */
export interface Local {
  readonly name: string;
  readonly type: Type;
}

/** The functions that macros need from the writer of their inner expressions. */
export interface MacroWriter {
  readonly random: Random;
  anyType(): Type;
  write(type: Type, depth: number): string;
  operand(type: Type, depth: number): string;
  /** Writes with loop variables that can be read by their names. */
  within(locals: readonly Local[], body: () => string): string;
}

/** A macro whose result can be of the type; `undefined` where there is none. */
export function writeMacro(writer: MacroWriter, type: Type, depth: number): string | undefined {
  const { random } = writer;
  const body =
    (wanted: Type): (() => string) =>
    () =>
      writer.write(wanted, depth - 1);
  switch (type.kind) {
    case 'bool':
      if (random.chance(0.2)) return presence(writer, depth);
      return random.chance(0.35)
        ? loop(writer, depth, random.pick(twoVariableTests), true, body(boolType))
        : loop(writer, depth, random.pick(tests), false, body(boolType));
    case 'list':
      return writeListMacro(writer, type, depth, body);
    case 'map':
      return random.chance(0.5)
        ? loop(
            writer,
            depth,
            'transformMap',
            true,
            guarded(writer, depth, body(elementOf(type, 1))),
          )
        : loop(writer, depth, 'transformMapEntry', true, guarded(writer, depth, body(type)));
    default:
      return type.name === 'optional_type' ? optionalMacro(writer, type, depth) : undefined;
  }
}

const tests = ['all', 'exists', 'exists_one', 'all', 'exists', 'exists_one', 'existsOne'];
const twoVariableTests = ['all', 'exists', 'existsOne', 'exists_one'];

function writeListMacro(
  writer: MacroWriter,
  type: Type,
  depth: number,
  body: (wanted: Type) => () => string,
): string {
  const { random } = writer;
  const element = elementOf(type);
  switch (random.below(5)) {
    case 0:
      return loop(writer, depth, 'filter', false, body(boolType), listOf(element));
    case 1:
      return loop(writer, depth, 'transformList', true, guarded(writer, depth, body(element)));
    case 2:
      return loop(
        writer,
        depth,
        'sortBy',
        false,
        body(random.pick([intType, stringType, dynType])),
        listOf(element),
      );
    default:
      return loop(writer, depth, 'map', false, guarded(writer, depth, body(element)));
  }
}

/** Now and then a condition before the body. */
function guarded(writer: MacroWriter, depth: number, body: () => string): () => string {
  return () =>
    writer.random.chance(0.3) ? `${writer.write(boolType, depth - 1)}, ${body()}` : body();
}

function loop(
  writer: MacroWriter,
  depth: number,
  macro: string,
  two: boolean,
  body: () => string,
  wanted?: Type,
): string {
  const { random } = writer;
  const range = wanted ?? rangeType(writer);
  const text = random.chance(0.02)
    ? writer.write(dynType, depth - 1)
    : writer.operand(range, depth);
  const [first, second] = [variableName(writer), variableName(writer)];
  const isMap = range.kind === 'map';
  const key = isMap ? elementOf(range) : intType;
  const value = isMap ? elementOf(range, 1) : elementOf(range);
  const locals = two
    ? [
        { name: first, type: key },
        { name: second, type: value },
      ]
    : [{ name: first, type: isMap ? key : value }];
  const names = locals.map(({ name }) => name).join(', ');
  return `${text}.${macro}(${names}, ${writer.within(locals, body)})`;
}

function rangeType(writer: MacroWriter): Type {
  const { random } = writer;
  const element = random.chance(0.5) ? random.pick([intType, stringType]) : writer.anyType();
  if (random.chance(0.02)) return writer.anyType();
  return random.chance(0.7)
    ? listOf(element)
    : mapOf(random.pick([stringType, stringType, intType]), element);
}

function variableName(writer: MacroWriter): string {
  const { random } = writer;
  if (random.chance(0.006)) {
    return random.pick(words('.x x.y 1 "x" for __result__ @result x() null `x`'));
  }
  return random.pick(words('x y z k v x1 object s i size int _ optional'));
}

function presence(writer: MacroWriter, depth: number): string {
  const { random } = writer;
  const field = random.pick(words('a b zz k1 s i m x b.c `x-y` ?a ?a.b a.?b'));
  const target = random.chance(0.5)
    ? random.pick(words('object object.m m object.s object.n object.l object.zz md mo r'))
    : writer.operand(random.chance(0.7) ? mapOf(stringType, intType) : writer.anyType(), depth);
  return random.chance(0.02) ? `has(${target})` : `has(${target}.${field})`;
}

function optionalMacro(writer: MacroWriter, type: Type, depth: number): string {
  const { random } = writer;
  const inner = writer.anyType();
  const target = writer.operand(optionalOf(inner), depth);
  const name = variableName(writer);
  const flat = random.chance(0.5);
  const body = writer.within([{ name, type: inner }], () =>
    writer.write(flat ? type : elementOf(type), depth - 1),
  );
  return `${target}.${flat ? 'optFlatMap' : 'optMap'}(${name}, ${body})`;
}

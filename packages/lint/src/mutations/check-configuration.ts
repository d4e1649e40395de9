import { formatGroupVersionKind } from '@kubeadmit/apimachinery';
import { closest, didYouMean } from '@kubeadmit/base';
import { compareText } from '@kubeadmit/go';
import {
  configurationOf,
  elementKey,
  findAtomics,
  isPatchList,
  isPatchObject,
  type PatchObject,
  type PatchValue,
  validateValue,
} from '@kubeadmit/mutator';
import type { MergeType } from '@kubeadmit/schemas/merge';
import { memberType } from '../expressions/type-below.ts';
import type { MutationFinding } from './finding.ts';
import type { Known } from './known.ts';
import { checkLeaf, type LeafContext } from './leaf-values.ts';
import type { LostChange } from './lost-changes.ts';
import {
  type Exploration,
  explore,
  type Part,
  type Sample,
  Sampler,
  sampleText,
} from './samples.ts';

export interface ConfigurationTarget extends LeafContext {
  /** How objects of the kind merge; `undefined` when no schema has the kind. */
  readonly type: MergeType | undefined;
  readonly lost: LostChange;
}

/**
 * Finds the parts of an apply configuration that kube-apiserver rejects for every object, by applying
 * samples of it.
 */
export function checkConfiguration(known: Known, target: ConfigurationTarget): MutationFinding[] {
  return new ConfigurationCheck(target).run(known);
}

class ConfigurationCheck {
  readonly #target: ConfigurationTarget;
  readonly #findings: MutationFinding[] = [];
  readonly #excluded = new Set<Part>();
  readonly #visited = new Set<Part>();

  constructor(target: ConfigurationTarget) {
    this.#target = target;
  }

  run(known: Known): MutationFinding[] {
    const { kind, type } = this.#target;
    if (type === undefined) {
      const message = `${unknownType}no corresponding type for ${formatGroupVersionKind(kind)}`;
      return [{ code: 'mutation-refused', position: known.position, message, isSure: true }];
    }
    explore((exploration) => this.#look(known, type, exploration));
    return this.#findings;
  }

  // Problems that were found are omitted from the next sample, until no more are found.
  #look(known: Known, type: MergeType, { chosen, isSure }: Exploration): Iterable<Part> {
    for (;;) {
      const sampler = new Sampler({ chosen, excluded: this.#excluded });
      const sample = sampler.sample(known, type);
      if (sample === undefined) return sampler.open;
      const found = this.#refusals(sample, type);
      const fresh = found.filter(({ at }) => !this.#excluded.has(at.holder));
      if (fresh.length === 0) {
        this.#visit(sample, type, [], isSure);
        return sampler.open;
      }
      for (const { at, message, isConstant = true } of fresh) {
        this.#excluded.add(at.holder);
        const exact = isConstant ? message : withoutSample(message, at.known);
        const shown = exact.replaceAll(sampleNames, '…');
        const isField = message.includes(`: ${undeclared}`);
        const position = isField ? fieldPosition(at) : at.known.position;
        this.#findings.push({ code: 'mutation-refused', position, message: shown, isSure });
      }
      if (fresh.some(({ at }) => at.holder === known)) return [];
    }
  }

  #refusals(sample: Sample, type: MergeType): Refusal[] {
    const configuration = configurationOf(sample.value);
    if (typeof configuration === 'string') return conversionRefusals(sample, configuration);
    const { apiVersion, kind } = this.#target;
    const patch: PatchObject = { ...configuration, apiVersion, kind: kind.kind };
    const errors = validateValue(patch, type, { allowDuplicates: false }).map(
      ({ path, message }): Refusal => {
        const at = locate(path, { sample, patch, type });
        const isDeclared = message !== undeclared;
        const hint = isDeclared ? '' : this.#suggestion(path, { sample, patch, type });
        const text = `${path === '' ? '' : `${path}: `}${message}${hint}`;
        return { at, message: text, isConstant: at.known.kind === 'scalar' || !isDeclared };
      },
    );
    const atomics = findAtomics(patch, type).map((path): Refusal => {
      const at = locate(path, { sample, patch, type });
      return {
        at,
        message: `invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: ${path}`,
      };
    });
    return [...errors, ...atomics];
  }

  #suggestion(path: string, root: Level): string {
    const name = path.slice(path.lastIndexOf('.') + 1);
    const parent = levelAt(path.slice(0, -name.length - 1), root);
    return didYouMean(closest(name, parent?.type.map?.names?.() ?? []));
  }

  /** Visits the constants of an accepted sample, and parts without effect. */
  #visit(
    sample: Sample,
    type: MergeType | undefined,
    path: readonly string[],
    isSure: boolean,
  ): void {
    const { known, holder } = sample;
    if (!this.#visited.has(holder)) {
      this.#visited.add(holder);
      const { position } = known;
      const add = (code: MutationFinding['code'], message: string): void => {
        this.#findings.push({ code, position, message, isSure });
      };
      if (known.kind === 'scalar' && path.length > 0) {
        const isHead = path.length === 1 && (path[0] === 'apiVersion' || path[0] === 'kind');
        if (isHead)
          add('mutation-no-effect', `\`${path[0]}\` has no effect: the value does not change`);
        else {
          const found = checkLeaf(this.#target, path, known.value);
          if (found !== undefined) add(found.code, found.message);
        }
      }
      const lost = isSame(known, path) ? undefined : this.#target.lost(path);
      if (lost !== undefined) {
        add(lost.code, lost.message);
        return;
      }
      if (known.kind === 'list' && known.isComplete && known.elements.length === 0) {
        add('mutation-no-effect', 'an empty list has no effect: existing elements stay');
      }
    }
    for (const [name, member] of sample.members) {
      this.#visit(member, memberType(type, name), [...path, name], isSure);
    }
    for (const element of sample.elements) {
      this.#visit(element, type?.list?.element, [...path, '[]'], isSure);
    }
  }
}

function isSame(known: Known, path: readonly string[]): boolean {
  return known.kind === 'data' && known.path === ['object', ...path].join('.');
}

const sampleNames = new RegExp(`"${sampleText}[0-9]+"`, 'g');
const unknownType = 'failed to convert patch object to typed object: ';
const undeclared = 'field not declared in schema';

function fieldPosition({ holder, known }: Sample): number {
  return 'position' in holder ? holder.position : known.position;
}

interface Refusal {
  readonly at: Sample;
  readonly message: string;
  /** Nothing in the message comes from the sample. */
  readonly isConstant?: boolean;
}

function conversionRefusals(sample: Sample, text: string): Refusal[] {
  const mismatched = mismatches(sample, 'Object');
  if (text.startsWith('type mismatch: ') && mismatched.length > 0) {
    const messages = text.slice('type mismatch: '.length).split('\n');
    return mismatched.map((at, i) => ({
      at,
      message: `type mismatch: ${messages[i] ?? messages[0] ?? ''}`,
    }));
  }
  return [{ at: sample, message: text }];
}

/** The structs whose names do not match their positions, in the order of the server's messages. */
function mismatches(sample: Sample, expected: string): Sample[] {
  const { known, members, elements } = sample;
  const isStruct = known.kind === 'struct';
  const own = isStruct && known.name !== expected ? [sample] : [];
  const fields = [...members].sort(([a], [b]) => (isStruct ? compareText(a, b) : 0));
  return [
    ...own,
    ...fields.flatMap(([name, member]) =>
      mismatches(member, isStruct ? `${expected}.${name}` : expected),
    ),
    ...elements.flatMap((element) => mismatches(element, expected)),
  ];
}

interface Level {
  readonly sample: Sample;
  readonly patch: PatchValue | undefined;
  readonly type: MergeType;
}

/** The part of a sample that a path of the server's messages leads to, or the last one on the way. */
function locate(path: string, level: Level): Sample {
  const next = path === '' ? undefined : step(path, level);
  return next === undefined ? level.sample : locate(next.rest, next);
}

function levelAt(path: string, level: Level): Level | undefined {
  if (path === '') return level;
  const next = step(path, level);
  return next && levelAt(next.rest, next);
}

function step(
  path: string,
  { sample, patch, type }: Level,
): (Level & { rest: string }) | undefined {
  if (path.startsWith('.')) {
    // Names may have dots: the longest that fits is meant.
    const names = [...sample.members.keys()].sort((a, b) => b.length - a.length);
    for (const name of names) {
      const rest = path.slice(1 + name.length);
      const member = sample.members.get(name);
      if (!path.startsWith(`.${name}`) || !/^(?:$|[.[])/.test(rest) || member === undefined)
        continue;
      const value = isPatchObject(patch) && Object.hasOwn(patch, name) ? patch[name] : undefined;
      return { sample: member, patch: value, type: memberType(type, name) ?? {}, rest };
    }
    return undefined;
  }
  const { list } = type;
  if (list === undefined || !isPatchList(patch)) return undefined;
  for (const [i, element] of sample.elements.entries()) {
    const value = patch[i] ?? null;
    const key = list.atomic ? undefined : elementKey(list, value);
    const texts = [`[${i}]`, ...(key !== undefined && 'text' in key ? [key.text] : [])];
    const text = texts.find((each) => path.startsWith(each));
    if (text === undefined) continue;
    return { sample: element, patch: value, type: list.element, rest: path.slice(text.length) };
  }
  return undefined;
}

// Replaces the value of a sample by a description of the expression that it represents.
function withoutSample(message: string, known: Known): string {
  const what = describe(known);
  if (what === undefined || message.includes('fail to convert field')) return message;
  const text = message.replace(/, got .*$/s, `, got ${what}`);
  // A list or map that is built within another one has no form that a field accepts.
  const isNested = text.endsWith(`expected ${known.kind}, got a ${known.kind}`);
  return isNested ? `${text} within a list or map, where only Object types can be` : text;
}

function describe(known: Known): string | undefined {
  switch (known.kind) {
    case 'text':
      return 'a string';
    case 'struct':
      return `an object (${known.name})`;
    case 'list':
      return 'a list';
    case 'map':
      return 'a map';
    case 'data':
      return `the value of ${known.path}`;
    case 'result':
      return `a value of type ${known.type}`;
    default:
      return undefined;
  }
}

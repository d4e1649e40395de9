import { readPatched } from '@kubeadmit/admission/unstable-internal';
import { closest, didYouMean } from '@kubeadmit/base';
import { JsonPatchValue } from '@kubeadmit/engine/environment';
import { applyJsonPatch, type Json, operationsOf, type PatchOperation } from '@kubeadmit/mutator';
import { findDefinition } from '@kubeadmit/schemas/definitions';
import type { MergeType } from '@kubeadmit/schemas/merge';
import { typeBelow } from '../expressions/type-below.ts';
import type { MutationFinding } from './finding.ts';
import type { Known } from './known.ts';
import {
  isTest,
  type KnownOperation,
  operationsIn,
  parentOf,
  touches,
  writesAbove,
} from './known-operations.ts';
import { checkLeaf, type LeafContext } from './leaf-values.ts';
import type { LostChange } from './lost-changes.ts';
import { type Route, type RoutedDocument, routedDocument } from './patch-route.ts';
import { isAboutSamples, positionIn } from './sample-problems.ts';
import { explore, type Sample, Sampler } from './samples.ts';

/** The target of a JSON patch. */
export interface OperationsTarget extends LeafContext {
  /** The fields of the objects; `undefined` when nothing is known about the kind. */
  readonly type: MergeType | undefined;
  readonly lost: LostChange;
  /** Whether the policy asks about a field in a match condition or a selector, so that it may know that it is there. */
  readonly isAskedFor: (name: string) => boolean;
}

/**
 * Finds operations of a JSON patch that kube-apiserver rejects, by applying each of them to the object
 * on which it is most likely to succeed.
 */
export function checkOperations(known: Known, target: OperationsTarget): MutationFinding[] {
  return new OperationsCheck(target).run(known);
}

interface Surroundings {
  readonly before: readonly KnownOperation[];
  readonly after: readonly KnownOperation[];
  readonly isSure: boolean;
}

class OperationsCheck {
  readonly #target: OperationsTarget;
  readonly #findings: MutationFinding[] = [];

  constructor(target: OperationsTarget) {
    this.#target = target;
  }

  run(known: Known): MutationFinding[] {
    const operations = operationsIn(known, true);
    for (const [i, operation] of operations.entries()) {
      const before = operations.slice(0, i);
      const after = operations.slice(i + 1);
      this.#check(operation, before, after);
    }
    return this.#findings;
  }

  #add(code: MutationFinding['code'], position: number, message: string, isSure: boolean): void {
    const isKnown = this.#findings.some(
      (each) => each.position === position && each.message === message,
    );
    if (!isKnown) this.#findings.push({ code, position, message, isSure });
  }

  #check(
    operation: KnownOperation,
    before: readonly KnownOperation[],
    after: readonly KnownOperation[],
  ): void {
    const { op, struct, opPosition, value } = operation;
    // A failing test ends the patch before the later operations.
    const isSure = operation.isSure && !before.some(isTest);
    if (op === undefined) return;
    if (!operationNames.includes(op)) {
      const hint = didYouMean(closest(op, operationNames));
      const message = `JSON Patch: Unexpected kind: ${op}${hint}`;
      this.#add('mutation-refused', opPosition, message, isSure);
      return;
    }
    if (value !== undefined) this.#checkConversion(value, isSure);
    const isNothing = value === undefined || (value.kind === 'scalar' && value.value === null);
    if (value === undefined && (op === 'add' || op === 'replace')) {
      const message = `\`${op}\` without \`value\` writes null`;
      this.#add('mutation-no-effect', struct.position, message, isSure);
    }
    if (op === 'test' && value !== undefined && isNothing) {
      const message = 'a `test` for null never succeeds, so the patch does nothing';
      this.#add('mutation-no-effect', value.position, message, isSure);
      return;
    }
    if (op === 'move' || op === 'copy') {
      this.#checkTransfer(operation, { before, after, isSure });
      return;
    }
    const { route, position } = operation.path;
    const needed = op === 'add' || op === 'replace' ? parentOf(route) : route;
    if (route === undefined || writesAbove(before, needed)) return;
    this.#checkAt(operation, route, position, { isSure, after });
  }

  #checkTransfer(operation: KnownOperation, { before, after, isSure }: Surroundings): void {
    const { op = '', from, path, struct } = operation;
    if (from === undefined) {
      const result = applyJsonPatch({}, [{ op, path: '/metadata' }]);
      const why = result.outcome === 'error' ? result.message : '';
      this.#add('mutation-refused', struct.position, `JSON Patch: ${why}`, isSure);
      return;
    }
    const { type } = this.#target;
    if (type === undefined) return;
    for (const [place, isSource] of [[from, true] as const, [path, false] as const]) {
      const needed = isSource ? place.route : parentOf(place.route);
      if (place.route === undefined || writesAbove(before, needed)) continue;
      const routed = routedDocument(type, place.route);
      if (routed === undefined) continue;
      const document = { ...routed.document, 'kubeadmit-source': 1 };
      const patch = isSource
        ? { op, from: routed.path, path: '/kubeadmit-target' }
        : { op, from: '/kubeadmit-source', path: routed.path };
      const result = applyJsonPatch(document as Json, [patch]);
      if (result.outcome === 'error') {
        const message = `JSON Patch: ${result.message}${this.#hint(routed)}`;
        this.#add('mutation-refused', place.position, message, isSure);
      } else if (isSource && op === 'copy' && isMissingField(routed)) {
        const message = `\`${routed.path}\` never exists, so null is copied${this.#hint(routed)}`;
        this.#add('mutation-no-effect', place.position, message, isSure);
      } else if (!isSource && isMissingField(routed)) {
        const added = { op: 'add', path: routed.path, value: null };
        const problem = this.#refusalOf(added, routed);
        if (problem === undefined || after.some((each) => touches(each, routed.route))) continue;
        const message = `${problem}${this.#hint(routed)}`;
        this.#add('mutation-refused', place.position, message, isSure && !after.some(isTest));
      }
    }
  }

  #checkAt(
    operation: KnownOperation,
    route: Route,
    position: number,
    { isSure, after }: { readonly isSure: boolean; readonly after: readonly KnownOperation[] },
  ): void {
    const { op = '' } = operation;
    const { type } = this.#target;
    if (type === undefined) return;
    const routed = routedDocument(type, route);
    if (routed === undefined) return;
    const { document, path } = routed;
    // The whole document can only be replaced by another one.
    const value = path === '' ? document : 'text';
    const probe: PatchOperation =
      op === 'remove' ? { op, path } : { op, path, value: value as Json };
    const result = applyJsonPatch(document as Json, [probe]);
    if (result.outcome === 'error') {
      const message = `JSON Patch: ${result.message}${this.#hint(routed)}`;
      this.#add('mutation-refused', position, message, isSure);
      return;
    }
    if (isSure && op !== 'test') this.#checkMap(routed, position);
    if (op === 'test' && isMissingField(routed)) {
      const message = `\`${path}\` never exists, so the patch does nothing${this.#hint(routed)}`;
      this.#add('mutation-no-effect', position, message, isSure);
    }
    if (op !== 'test' && routed.isTargetKnown && !isMissingField(routed)) {
      const lost = this.#target.lost(routed.steps);
      if (lost !== undefined) this.#add(lost.code, position, lost.message, isSure);
    }
    if (op !== 'add' && op !== 'replace') return;
    // A later operation may remove the written value.
    if (!routed.isTargetKnown || after.some((each) => touches(each, route))) return;
    const isKept = isSure && !after.some(isTest);
    if (isMissingField(routed)) {
      const problem = this.#refusalOf({ op, path, value: null }, routed);
      if (problem !== undefined) {
        this.#add('mutation-refused', position, `${problem}${this.#hint(routed)}`, isKept);
      } else if (findDefinition(this.#target.schemas, this.#target.kind) !== undefined) {
        const message = `\`${path}\` is not declared in the schema, so it is not stored${this.#hint(routed)}`;
        this.#add('mutation-no-effect', position, message, isKept);
      }
    } else if (operation.value !== undefined) {
      this.#checkWritten(operation.value, op, routed, isKept);
    }
  }

  /** A map such as labels is absent where it has no members, and then nothing can be written into it. */
  #checkMap({ path, steps }: RoutedDocument, position: number): void {
    const above = steps.slice(0, -1);
    const name = above.at(-1);
    const { map } = typeBelow(this.#target.type, above) ?? {};
    const isFree = map?.element !== undefined && (map.names?.() ?? []).length === 0;
    if (!isFree || name === undefined || this.#target.isAskedFor(name)) return;
    // Pod selectors and the labels that they select always exist.
    if (name === 'matchLabels' || above.join('.') === 'spec.template.metadata.labels') return;
    const parent = path.slice(0, path.lastIndexOf('/'));
    const message = `\`${parent}\` may be missing, and the patch then fails: add it first, or use an ApplyConfiguration`;
    this.#add('mutation-refused', position, message, false);
  }

  /** Looks for values that cannot be written as JSON. */
  #checkConversion(value: Known, isSure: boolean): void {
    explore(({ chosen, isSure: isAlways }) => {
      const sampler = new Sampler({ chosen, excluded: new Set() });
      const sample = sampler.sample(value, anything);
      const written =
        sample && operationsOf([new JsonPatchValue('add', '/metadata', '', sample.value)]);
      if (typeof written === 'string') {
        this.#add('mutation-refused', value.position, written, isSure && isAlways);
      }
      return sampler.open;
    });
  }

  #checkWritten(value: Known, op: string, routed: RoutedDocument, isSure: boolean): void {
    explore(({ chosen, isSure: isAlways }) => {
      const sampler = new Sampler({ chosen, excluded: new Set() });
      const sample = sampler.sample(value, routed.target, value);
      const written = operationsOf([new JsonPatchValue(op, routed.path, '', sample?.value)]);
      if (sample === undefined || typeof written === 'string' || written[0] === undefined) {
        return sampler.open;
      }
      const sure = isSure && isAlways;
      const problem = this.#refusalOf(written[0], routed);
      if (problem === undefined) this.#visit(sample, routed.steps, sure);
      else if (!isAboutSamples(problem, sample)) {
        this.#add('mutation-refused', positionIn(sample, problem) ?? value.position, problem, sure);
      }
      return sampler.open;
    });
  }

  /** The server's text about the object that an operation makes; `undefined` when it can be read. */
  #refusalOf(operation: PatchOperation, { document }: RoutedDocument): string | undefined {
    const { schemas, kind, apiVersion } = this.#target;
    if (findDefinition(schemas, kind) !== undefined) return undefined;
    const head = { apiVersion, kind: kind.kind };
    const read = (given: unknown): string | undefined => {
      const result = readPatched(
        schemas,
        { ...(given as object), ...head },
        { kind, isCustom: false },
      );
      return typeof result === 'string' ? `Internal error occurred: ${result}` : undefined;
    };
    if (read(document) !== undefined) return undefined;
    const result = applyJsonPatch(document as Json, [operation]);
    return result.outcome === 'patched' ? read(result.document) : undefined;
  }

  #visit(sample: Sample, path: readonly string[], isSure: boolean): void {
    const { known } = sample;
    if (known.kind === 'scalar') {
      const found = findDefinition(this.#target.schemas, this.#target.kind)
        ? checkLeaf(this.#target, path, known.value)
        : undefined;
      if (found !== undefined) this.#add(found.code, known.position, found.message, isSure);
    }
    for (const [name, member] of sample.members) this.#visit(member, [...path, name], isSure);
    for (const element of sample.elements) this.#visit(element, [...path, '[]'], isSure);
  }

  #hint({ path, steps }: RoutedDocument): string {
    if (path !== '' && !path.startsWith('/')) return ' (paths begin with `/`)';
    let type = this.#target.type;
    for (const [i, name] of steps.entries()) {
      const next = typeBelow(type, [name]);
      if (next === undefined) return didYouMean(closest(name, type?.map?.names?.() ?? []));
      const isScalar = next.map === undefined && next.list === undefined;
      if (isScalar && i === steps.length - 1 && path.split('/').length - 1 > steps.length) {
        return type?.map?.element === undefined ? '' : ' (write `/` in a key as `~1`)';
      }
      type = next;
    }
    return '';
  }
}

const anything: MergeType = { scalar: 'untyped', list: undefined, map: undefined };

const operationNames = ['add', 'remove', 'replace', 'move', 'copy', 'test'];

function isMissingField({ target, isTargetKnown }: RoutedDocument): boolean {
  return target === undefined && isTargetKnown;
}

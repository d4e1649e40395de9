import { isObject, type JsonObject } from '@kubeadmit/apimachinery';
import { stringifyJson } from '@kubeadmit/go';
import type { MergeSchema } from '@kubeadmit/kyverno/unstable-internal';
import { Path } from '../cel/path.ts';
import { intShape } from '../cel/shapes.ts';
import { member } from '../cel/term.ts';
import { conditionsHold, readConditions } from '../conditions/conditions.ts';
import { translate } from '../jmespath/translate.ts';
import { listOf, listOrEmpty, shapeOf, type Value } from '../jmespath/value.ts';
import type { Variables } from '../jmespath/variables.ts';
import { differenceNotes, type Note } from '../notes/difference-notes.ts';
import { Unsupported } from '../notes/unsupported.ts';
import { loopName } from '../pattern/loop.ts';
import { withContext } from '../policy/context.ts';
import { jsonPatchSteps } from './json-patch.ts';
import type { Loop } from './operations.ts';
import type { Step } from './steps.ts';
import { mergeSteps } from './strategic-merge.ts';

/** How the entries of `foreach` are read. */
export interface LoopOptions {
  readonly variables: Variables;
  readonly schema: MergeSchema | undefined;
  readonly keepsOrder: boolean;
  readonly notes: Set<Note>;
}

interface Nested extends LoopOptions {
  readonly loops: readonly Loop[];
  /** Elements of the loops around by the pointers to them, as patches write them. */
  readonly elements: ReadonlyMap<string, Path>;
  /** The places that loops go through, and the pointers to their elements. */
  readonly pointers: ReadonlyMap<string, string>;
}

/**
 * Converts the entries of a mutation's `foreach` to steps of a mutation.
 *
 * @throws Unsupported if they have no equivalent.
 */
export function loopSteps(loops: readonly JsonObject[], options: LoopOptions): readonly Step[] {
  const around = { ...options, loops: [], elements: new Map(), pointers: new Map() };
  return loops.flatMap((loop) => entrySteps(loop, around));
}

const indexes = ['i', 'j', 'k'];

function entrySteps(entry: JsonObject, around: Nested): readonly Step[] {
  const { variables, loops } = around;
  const depth = loops.length;
  const value = translate(String(entry['list'] ?? '').trim(), variables);
  const place = placeOf(value);
  const name = nameOf(place, loops);
  const index = indexes[depth] ?? 'n';
  const shape = value.kind === 'projection' ? shapeOf(value.item) : shapeOf(value)?.element;
  const element = new Path(member(name), { ...variables.known, shape });
  const at: Value = {
    kind: 'term',
    term: member(index),
    shape: intShape,
  };
  const named = new Map(variables.named)
    .set('element', { kind: 'path', path: element })
    .set(`element${depth}`, { kind: 'path', path: element })
    .set('elementIndex', at)
    .set(`elementIndex${depth}`, at);
  const inner = withContext(entry['context'], { ...variables, named });
  const filter = conditionsHold(readConditions(entry['preconditions'], inner));
  if (/\belement\d?\.(?!name\b|image\b)/.test(stringifyJson(entry))) {
    around.notes.add(differenceNotes.lastElement);
  }
  const isMerge = entry['patchStrategicMerge'] !== undefined;
  const isReversed = entry['order'] === 'Descending';
  const list = value.kind === 'projection' ? listOrEmpty(value) : listOf(value);
  const loop: Loop = { list, index, element: name, filter, isReversed };
  if (isMerge) return mergeLoop(entry, { loop, place, element }, { ...around, variables: inner });
  const written = place && pointerOf(place, around, depth);
  const nested: Nested = {
    ...around,
    variables: inner,
    loops: [...loops, loop],
    elements:
      written === undefined ? around.elements : new Map(around.elements).set(written, element),
    pointers: written === undefined ? around.pointers : new Map(around.pointers).set(name, written),
  };
  if (Array.isArray(entry['foreach'])) {
    return entry['foreach'].filter(isObject).flatMap((each) => entrySteps(each, nested));
  }
  const patch = entry['patchesJson6902'];
  if (patch === undefined) throw new Unsupported('an entry of foreach without a patch');
  return jsonPatchSteps(patch, inner, nested);
}

interface Entered {
  readonly loop: Loop;
  readonly place: Path | undefined;
  readonly element: Path;
}

function mergeLoop(entry: JsonObject, entered: Entered, around: Nested): readonly Step[] {
  const patch = entry['patchStrategicMerge'];
  if (!isObject(patch)) throw new Unsupported('a patch that is not a map');
  if (around.loops.length > 0) throw new Unsupported('a strategic merge patch in a nested foreach');
  if (entry['order'] === 'Ascending') throw new Unsupported('a merge that reverses the order');
  const { variables, schema, keepsOrder, notes } = around;
  const made = mergeSteps(patch, variables.object, {
    variables,
    schema,
    keepsOrder,
    around: entered,
  });
  for (const note of made.notes) notes.add(note);
  if (made.conditions.length > 0) throw new Unsupported('conditions of a patch within foreach');
  return made.steps;
}

// The place that a list is, when it is one: `volumes`, `volumes[]`.
function placeOf(value: Value): Path | undefined {
  if (value.kind === 'path') return value.path;
  return value.kind === 'projection' && value.filter === undefined ? value.source : undefined;
}

function nameOf(place: Path | undefined, loops: readonly Loop[]): string {
  const name = place === undefined ? 'element' : loopName(place, 'element');
  return loops.some(({ element }) => element === name) ? `${name}${loops.length}` : name;
}

function pointerOf(place: Path, { pointers }: Nested, depth: number): string | undefined {
  const [root = '', ...keys] = place.term.text.split('.');
  const base = root === 'object' ? '' : pointers.get(root);
  if (base === undefined || !keys.every((key) => /^\w+$/.test(key))) return undefined;
  return [base, ...keys, `{{elementIndex${depth}}}`].join('/');
}

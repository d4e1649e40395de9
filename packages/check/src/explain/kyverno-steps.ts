import { isObject, type JsonObject } from '@kubeadmit/apimachinery';
import { defined } from '@kubeadmit/base';
import { elementText } from '@kubeadmit/chain/expressions';
import { operationsOf } from '@kubeadmit/chain/findings';
import type { ConditionStep, TraceStep } from '@kubeadmit/kyverno/traces';
import type { ExplainedRuleStep } from './explanation.ts';
import { type AskedNamespace, filtersSentence } from './filter-reasons.ts';

/** Where things stand of which a rule speaks. */
export interface RulePlaces {
  /** The line of a field of the policy. */
  readonly lineIn: (path: string) => number | undefined;
  /** Returns the line of a value of the object, or `undefined` if it is not in the file. */
  readonly lineOf: (path: ReadPath) => number | undefined;
  /** The namespace of the request. */
  readonly namespace: AskedNamespace;
}

type ReadPath = readonly (string | number)[];

/** Explains the evaluation steps of a rule, with all positions. */
export function explainSteps(
  steps: readonly TraceStep[],
  rule: { readonly path: string; readonly source: JsonObject },
  places: RulePlaces,
): readonly ExplainedRuleStep[] {
  const entries = contextPlaces(rule.source, rule.path);
  const body = ['mutate', 'generate'].find((name) => isObject(rule.source[name])) ?? 'validate';
  const root: Level = { path: `${rule.path}.${body}`, conditions: rule.path, element: undefined };
  return new Steps(places, entries).all(steps, root);
}

/** The owner of steps: the rule or an entry of `foreach`. */
interface Level {
  /** Where patterns, loops and patches stand. */
  readonly path: string;
  /** Where its preconditions stand. */
  readonly conditions: string;
  /** Where the elements lie that its variables are about. */
  readonly element: ReadPath | undefined;
}

type StepOf<Kind extends TraceStep['kind']> = Extract<TraceStep, { readonly kind: Kind }>;

class Steps {
  readonly #places: RulePlaces;
  readonly #entries: ReadonlyMap<unknown, string>;

  constructor(places: RulePlaces, entries: ReadonlyMap<unknown, string>) {
    this.#places = places;
    this.#entries = entries;
  }

  all(steps: readonly TraceStep[], level: Level, list?: ListOfConditions): ExplainedRuleStep[] {
    // Preconditions that there are none of hold.
    const isTold = (step: TraceStep): boolean =>
      step.kind !== 'conditions' ||
      step.steps.length > 0 ||
      step.role === 'deny' ||
      step.result !== true;
    return steps.filter(isTold).map((step) => this.#one(step, level, list));
  }

  #one(step: TraceStep, level: Level, list: ListOfConditions | undefined): ExplainedRuleStep {
    switch (step.kind) {
      case 'variable': {
        const { expression, value, error, reads } = step;
        const line = reads && this.#readLine(reads, level);
        return defined({ kind: step.kind, name: expression, value, error, manifestLine: line });
      }
      case 'entry': {
        const { name, value, error } = step;
        const steps = this.all(step.steps, level);
        const place = this.#entries.get(step.source);
        return this.#placed(step.kind, place, { name, value, error, steps });
      }
      case 'conditions':
        return this.#conditions(step, level);
      case 'condition':
        return this.#condition(step, level, list);
      case 'pattern':
        return this.#pattern(step, level);
      case 'loop':
        return this.#loop(step, level);
      case 'element':
        return this.#element(step, level.path, level, undefined);
      case 'patch':
        return this.#patch(step, level);
      case 'exception': {
        const outcome = step.applies ? 'applies' : 'does not apply';
        const message = filtersSentence(step.match, 'spec.match', this.#places.namespace);
        const steps = this.all(step.steps, level);
        return defined({ kind: step.kind, name: step.key, outcome, message, steps });
      }
      case 'oldObject': {
        const { status: outcome, message } = step;
        // Values of the old object are in another file.
        const within = new Steps({ ...this.#places, lineOf: () => undefined }, this.#entries);
        return defined({ kind: step.kind, outcome, message, steps: within.all(step.steps, level) });
      }
      case 'target': {
        const { target: name, status: outcome, message } = step;
        const steps = this.all(step.steps, level);
        return this.#placed(step.kind, `${level.path}.targets`, { name, outcome, message, steps });
      }
      case 'cel': {
        const { index, message } = step;
        const outcome = step.outcome === 'holds' ? 'pass' : step.outcome;
        const path = `${level.path}.cel.expressions[${index}]`;
        return this.#placed(step.kind, path, { outcome, message });
      }
      case 'control': {
        const message = `${step.reason}: ${step.violations.join(', ')}`;
        return this.#placed(step.kind, `${level.path}.podSecurity`, { outcome: 'fail', message });
      }
      default:
        return step satisfies never;
    }
  }

  #conditions(step: StepOf<'conditions'>, level: Level): ExplainedRuleStep {
    const { kind, role, result, error } = step;
    const path =
      role === 'deny' ? `${level.path}.deny.conditions` : `${level.conditions}.preconditions`;
    const own = { path, result, isAnyHeld: isAnyHeld(step.steps) };
    const steps = this.all(step.steps, level, own);
    const place = role === 'exception' ? undefined : path;
    return this.#placed(kind, place, { name: role, result, error, steps });
  }

  #condition(
    step: StepOf<'condition'>,
    level: Level,
    list: ListOfConditions | undefined,
  ): ExplainedRuleStep {
    const { kind, key, operator, value, result, error, index } = step;
    const place = step.list === 'old' ? `[${index}]` : `.${step.list}[${index}]`;
    const steps = this.all(step.steps, level);
    const isDecisive = isDecisiveCondition(step, list);
    const told = { key, operator, value, result, error, isDecisive, steps };
    return this.#placed(kind, list && `${list.path}${place}`, told);
  }

  #pattern(step: StepOf<'pattern'>, level: Level): ExplainedRuleStep {
    const { kind, index, outcome, message, path: at, found: value, wanted } = step;
    const field = index === undefined ? 'pattern' : `anyPattern[${index}]`;
    const above = level.element ?? ['request', 'object'];
    const read = at === undefined ? undefined : [...above, ...segments(at)];
    const manifestLine = read && this.#nearestLine(read, level);
    const told = { outcome, message, at, value, wanted, manifestLine };
    return this.#placed(kind, `${level.path}.${field}`, told);
  }

  #loop(step: StepOf<'loop'>, level: Level): ExplainedRuleStep {
    const { kind, list: name, count, error, index } = step;
    const path = `${level.path}.foreach[${index}]`;
    const list = step.reads && this.#rooted(step.reads, level);
    // After each element Kyverno loads entries again that it has found out about already.
    const elements = step.steps.filter((each) => each.kind !== 'entry');
    const steps = elements.map((each) => this.#element(each, path, level, list));
    return this.#placed(kind, path, { name, count, error, steps });
  }

  #patch(step: StepOf<'patch'>, level: Level): ExplainedRuleStep {
    const { kind, form, status: outcome, message, before = null, after } = step;
    const changes = after === undefined ? [] : operationsOf({ policy: '', before, after });
    return this.#placed(kind, `${level.path}.${form}`, { outcome, message, changes });
  }

  #element(
    step: TraceStep,
    path: string,
    level: Level,
    list: ReadPath | undefined,
  ): ExplainedRuleStep {
    if (step.kind !== 'element') return this.#one(step, level, undefined);
    const { index, element, status, message } = step;
    const own = list && [...list, index];
    const steps = this.all(step.steps, { path, conditions: path, element: own });
    const manifestLine = own && this.#places.lineOf(own);
    return defined({
      kind: step.kind,
      name: elementText(list, index, element, 'element'),
      value: element,
      outcome: status,
      message,
      manifestLine,
      steps,
    });
  }

  /** A path that begins at the request. */
  #rooted(path: ReadPath, { element }: Level): ReadPath | undefined {
    const [root, ...rest] = path;
    if (root === 'element') return element && [...element, ...rest];
    return root === 'request' ? path : undefined;
  }

  #readLine(path: ReadPath, level: Level): number | undefined {
    const rooted = this.#rooted(path, level);
    return rooted && this.#places.lineOf(rooted);
  }

  /** The line of a value, or of the nearest that is there around it. */
  #nearestLine(path: ReadPath, level: Level): number | undefined {
    for (let length = path.length; length > 2; length--) {
      const line = this.#readLine(path.slice(0, length), level);
      if (line !== undefined) return line;
    }
    return undefined;
  }

  #placed(
    kind: ExplainedRuleStep['kind'],
    path: string | undefined,
    rest: Loose,
  ): ExplainedRuleStep {
    const line = path === undefined ? undefined : this.#places.lineIn(path);
    return defined({ kind, path, line, ...rest });
  }
}

type Loose = {
  readonly [Key in Exclude<keyof ExplainedRuleStep, 'kind'>]?: ExplainedRuleStep[Key] | undefined;
};

/** The block that conditions stand in. */
interface ListOfConditions {
  readonly path: string;
  readonly result: boolean | undefined;
  /** Whether one of `any` holds. */
  readonly isAnyHeld: boolean;
}

function isAnyHeld(steps: readonly TraceStep[]): boolean {
  return steps.some(
    (step) => step.kind === 'condition' && step.list === 'any' && step.result === true,
  );
}

/** Whether a condition decided the block: if the block passes, all that are true, otherwise those that are false. */
function isDecisiveCondition(
  { list, result, error }: ConditionStep,
  block: ListOfConditions | undefined,
): boolean {
  if (error !== undefined) return true;
  if (block?.result === true) return result === true;
  return result === false && (list !== 'any' || block?.isAnyHeld !== true);
}

/** The places of the entries of contexts, in the rule and in its loops. */
function contextPlaces(source: unknown, path: string): ReadonlyMap<unknown, string> {
  const places = new Map<unknown, string>();
  const visit = (value: unknown, at: string): void => {
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) visit(item, `${at}[${index}]`);
      return;
    }
    if (!isObject(value)) return;
    places.set(value, at);
    for (const name of ['context', 'validate', 'mutate', 'generate', 'foreach', 'targets']) {
      visit(value[name], `${at}.${name}`);
    }
  };
  visit(source, path);
  return places;
}

/** The steps of a path such as `/spec/containers/0/image/`. */
function segments(path: string): readonly (string | number)[] {
  return path
    .split('/')
    .filter((segment) => segment !== '')
    .map((segment) => (/^\d+$/.test(segment) ? Number(segment) : segment));
}

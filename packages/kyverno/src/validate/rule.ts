import { isObject, type JsonObject, listOf } from '@kubeadmit/apimachinery';
import { lazily } from '@kubeadmit/base';
import { formatType } from '@kubeadmit/go';
import { type Conditions, compileConditions } from '../conditions/compile.ts';
import { evaluateConditions, joinMessages } from '../conditions/evaluate.ts';
import { type Needs, unreadiness } from '../conditions/readiness.ts';
import { loopElements } from '../context/loop-elements.ts';
import { withDoubles, withIntegers } from '../context/numbers.ts';
import { field, objectField, objectsField, stringField } from '../fields/fields.ts';
import { Failure } from '../jmespath/steps/failure.ts';
import { elementsOf } from '../jmespath/steps/list.ts';
import type { PolicyRequest } from '../rule/request.ts';
import type { Rule } from '../rule/rule.ts';
import { type RuleOutcome, said } from '../trace/outcome.ts';
import type { PatternStep } from '../trace/rule-trace.ts';
import { substitute } from '../variables/substitute.ts';
import { existingViolation, forgivesExisting, judgeOldObject } from './old-object.ts';
import { CompiledPattern, type PatternResult } from './pattern.ts';

/** One level of a rule: the rule itself, or an entry of `foreach`. */
interface Level extends Needs {
  readonly deny: Conditions | Failure | undefined;
  readonly pattern: unknown;
  readonly anyPattern: unknown;
  readonly compiledPattern: CompiledPattern;
  readonly compiledAnyPattern: readonly CompiledPattern[];
  readonly loops: readonly Loop[] | undefined;
}

interface Loop {
  readonly list: string;
  readonly elementScope: unknown;
  readonly level: Level;
}

/** A rule with patterns, conditions or loops. */
export interface LevelsHandler {
  readonly kind: 'levels';
  readonly source: JsonObject;
  readonly message: string;
  readonly level: () => Level;
}

/** Reads a rule with patterns, conditions or loops. */
export function compileLevels(source: JsonObject): LevelsHandler {
  return {
    kind: 'levels',
    source,
    message: stringField(source, 'message'),
    // The engine has evaluated the preconditions of the rule itself.
    level: lazily(() => ({ ...compileLevel(source), context: [], preconditions: undefined })),
  };
}

function compileLevel(source: JsonObject): Level {
  const deny = objectField(source, 'deny');
  const loops = field(source, 'foreach');
  const givenPattern = field(source, 'pattern');
  const givenAnyPattern = field(source, 'anyPattern');
  const pattern = givenPattern === undefined ? undefined : withIntegers(givenPattern);
  const anyPattern = givenAnyPattern === undefined ? undefined : withDoubles(givenAnyPattern);
  const choices: readonly unknown[] = listOf(anyPattern);
  return {
    context: objectsField(source, 'context'),
    preconditions: compileConditions(field(source, 'preconditions')),
    deny: deny && compileConditions(field(deny, 'conditions')),
    pattern,
    anyPattern,
    compiledPattern: new CompiledPattern(pattern),
    compiledAnyPattern: choices.map((choice) => new CompiledPattern(choice)),
    loops: loops === undefined ? undefined : objectsField(source, 'foreach').map(compileLoop),
  };
}

function compileLoop(source: JsonObject): Loop {
  return {
    list: stringField(source, 'list'),
    elementScope: field(source, 'elementScope'),
    level: compileLevel(source),
  };
}

/** Applies a validate rule to a request; undefined when it has no result. */
export function validateRule(
  request: PolicyRequest,
  rule: Rule,
  handler: LevelsHandler,
  spec: JsonObject,
): RuleOutcome | undefined {
  return new LevelsValidation(request, rule, handler, spec).validate(handler.level(), 0, undefined);
}

class LevelsValidation {
  readonly #request: PolicyRequest;
  readonly #rule: Rule;
  readonly #validate: JsonObject;
  readonly #spec: JsonObject;
  readonly #message: string;

  constructor(request: PolicyRequest, rule: Rule, handler: LevelsHandler, spec: JsonObject) {
    this.#request = request;
    this.#rule = rule;
    this.#validate = handler.source;
    this.#spec = spec;
    this.#message = handler.message;
  }

  validate(
    level: Level,
    nesting: number,
    element: JsonObject | undefined,
  ): RuleOutcome | undefined {
    const outcome = this.#apply(level, nesting, element);
    const isFinal = nesting > 0 || isUnready(outcome);
    return isFinal || !forgivesExisting(this.#request, this.#validate, this.#spec)
      ? outcome
      : this.#forgiveExisting(level, outcome);
  }

  #apply(level: Level, nesting: number, element: JsonObject | undefined): RuleOutcome | undefined {
    const { context, sources, policyNamespace } = this.#request;
    const kept = unreadiness(context, level, sources, policyNamespace);
    if (kept !== undefined) return unready(kept);
    if (level.deny !== undefined) return this.#deny(level.deny);
    if (level.pattern !== undefined || level.anyPattern !== undefined)
      return this.#patterns(level, element);
    return level.loops === undefined ? undefined : this.#loops(level.loops, nesting, element);
  }

  #deny(conditions: Conditions | Failure): RuleOutcome {
    const outcome = evaluateConditions(this.#request.context, conditions, 'deny');
    if (outcome instanceof Failure) {
      return { status: 'error', message: `failed to check deny conditions: ${outcome.message}` };
    }
    if (!outcome.result) return { status: 'pass', message: this.#passed };
    return { status: 'fail', message: this.#denyMessage(outcome.message) };
  }

  #denyMessage(conditionMessage: string): string {
    const message = joinMessages([this.#message, conditionMessage], '; ');
    if (message === '') return `validation error: rule ${this.#rule.name} failed`;
    const substituted = substitute(this.#request.context, message);
    if (substituted instanceof Failure) return conditionMessage;
    return typeof substituted === 'string'
      ? substituted
      : "the produced message didn't resolve to a string, check your policy definition.";
  }

  get #passed(): string {
    return `validation rule '${this.#rule.name}' passed.`;
  }

  #patterns(level: Level, element: JsonObject | undefined): RuleOutcome | undefined {
    const isAny = level.pattern === undefined;
    const pattern = substitute(this.#request.context, isAny ? level.anyPattern : level.pattern);
    if (pattern instanceof Failure) {
      const message = `variable substitution failed: ${pattern.message}`;
      return unready({ status: 'error', message });
    }
    const hasElement = element !== undefined && Object.keys(element).length > 0;
    if (!hasElement && this.#request.operation === 'DELETE') return undefined;
    const resource = hasElement ? element : (this.#request.object ?? {});
    if (isAny) return this.#anyPattern(resource, pattern, level);
    // Substitution gives the pattern itself where it has no variables.
    return this.#pattern(
      resource,
      pattern === level.pattern ? level.compiledPattern : new CompiledPattern(pattern),
    );
  }

  #pattern(resource: unknown, pattern: CompiledPattern): RuleOutcome {
    const result = pattern.match(resource);
    this.#request.context.trace?.add(patternStep(result));
    if (result === undefined) return { status: 'pass', message: this.#passed };
    if (result.kind === 'skip') return { status: 'skip', message: result.message };
    const { name } = this.#rule;
    const where =
      result.path === ''
        ? `rule ${name} execution error: ${result.message}`
        : `rule ${name} failed at path ${result.path}`;
    return {
      status: result.path === '' ? 'error' : 'fail',
      message: this.#failureMessage(where, result.message),
    };
  }

  /** The rule's message with its final stop and where it failed. */
  #failureMessage(where: string, reason: string): string {
    if (this.#message === '') return `validation error: ${where}`;
    const message = substitute(this.#request.context, this.#message);
    if (message instanceof Failure) {
      return `validation error: variables substitution error in rule ${this.#rule.name} execution error: ${reason}`;
    }
    const text = typeof message === 'string' ? message : this.#message;
    return `validation error: ${text}${text.endsWith('.') ? '' : '.'} ${where}`;
  }

  #anyPattern(resource: unknown, patterns: unknown, level: Level): RuleOutcome {
    if (!Array.isArray(patterns)) {
      const reason = `json: cannot unmarshal ${isObject(patterns) ? 'object' : typeof patterns} into Go value of type []interface {}`;
      const message = `failed to deserialize anyPattern, expected type array: ${reason}`;
      return { status: 'error', message };
    }
    const { name } = this.#rule;
    const skips: string[] = [];
    const failures: string[] = [];
    const isWritten = patterns === level.anyPattern;
    for (const [at, pattern] of patterns.entries()) {
      const compiled = isWritten ? level.compiledAnyPattern[at] : undefined;
      const result = (compiled ?? new CompiledPattern(pattern)).match(resource);
      this.#request.context.trace?.add({ ...patternStep(result), index: at });
      if (result === undefined) {
        return { status: 'pass', message: `validation rule '${name}' anyPattern[${at}] passed.` };
      }
      if (result.kind === 'skip') skips.push(`rule ${name}[${at}] skipped: ${result.message}`);
      else if (result.path === '') failures.push(`rule ${name}[${at}] failed: ${result.message}`);
      else failures.push(`rule ${name}[${at}] failed at path ${result.path}`);
    }
    if (failures.length > 0) {
      const parts = failures.join(' ');
      return { status: 'fail', message: this.#failureMessage(parts, parts) };
    }
    return skips.length > 0
      ? { status: 'skip', message: skips.join(' ') }
      : { status: 'pass', message: this.#message };
  }

  #loops(
    loops: readonly Loop[],
    nesting: number,
    element: JsonObject | undefined,
  ): RuleOutcome | undefined {
    let applied = 0;
    let listProblem: Failure | undefined;
    const { trace } = this.#request.context;
    for (const [index, loop] of loops.entries()) {
      trace?.open();
      const list = this.#request.context.query(loop.list);
      if (list instanceof Failure) {
        trace?.close({ kind: 'loop', index, list: loop.list, error: list.message });
        if (!list.message.includes('Unknown key')) listProblem = list;
        continue;
      }
      const elements = elementsOf(list) ?? [list];
      const outcome = this.#elements(loop, elements, nesting, element);
      trace?.close({ kind: 'loop', index, list: loop.list, count: elements.length });
      if (typeof outcome !== 'number') return outcome;
      applied += outcome;
    }
    if (applied > 0) return { status: 'pass', message: 'rule passed' };
    if (listProblem === undefined) return undefined;
    return { status: 'error', message: `failed to evaluate list: ${listProblem.message}` };
  }

  /** How many elements passed, or the outcome that ended the loop. */
  #elements(
    loop: Loop,
    elements: readonly unknown[],
    nesting: number,
    outer: JsonObject | undefined,
  ): number | RuleOutcome {
    const { context } = this.#request;
    const { elementScope, level } = loop;
    let applied = 0;
    for (const [index, element] of loopElements(context, elements, nesting, false)) {
      context.trace?.open();
      const isWrong = elementScope === true && !isObject(element);
      const target = isObject(element) && elementScope !== false ? element : outer;
      const outcome = isWrong ? wrongScope(element) : this.validate(level, nesting + 1, target);
      context.trace?.close({ kind: 'element', index, element, ...said(outcome) });
      if (outcome === undefined || outcome.status === 'skip') continue;
      if (isWrong) return outcome;
      if (outcome.status === 'pass') {
        applied++;
      } else if (
        outcome.status !== 'error' ||
        !outcome.message.includes('failed to evaluate preconditions')
      ) {
        return { status: outcome.status, message: `validation failure: ${outcome.message}` };
      }
    }
    return applied;
  }

  /** A violation that the old object had too does not count for an update. */
  #forgiveExisting(level: Level, outcome: RuleOutcome | undefined): RuleOutcome | undefined {
    if (this.#request.operation !== 'UPDATE') {
      return { status: 'skip', message: 'failed to validate old object' };
    }
    const before = judgeOldObject(this.#request, this.#rule, () =>
      this.validate(level, 0, undefined),
    );
    return outcome?.status === 'fail' && before?.status === 'fail' ? existingViolation : outcome;
  }
}

function wrongScope(element: unknown): RuleOutcome {
  const message = `failed to process foreach: cannot use elementScope=true foreach rules for elements that are not maps, expected type=map got type=${formatType(element)}`;
  return { status: 'error', message };
}

function patternStep(result: PatternResult | undefined): PatternStep {
  if (result === undefined) return { kind: 'pattern', outcome: 'pass' };
  const { kind, message, path, compared } = result;
  const outcome = kind === 'fail' && path === '' ? 'error' : kind;
  const { found, wanted } = compared ?? {};
  return {
    kind: 'pattern',
    outcome,
    message,
    ...(path === '' ? {} : { path }),
    ...(found === undefined ? {} : { found }),
    ...(wanted === undefined ? {} : { wanted }),
  };
}

/** An outcome that ends a level before anything is judged, at which the old object is not looked at. */
interface UnreadyOutcome extends RuleOutcome {
  readonly isUnready: true;
}

function unready(outcome: RuleOutcome): UnreadyOutcome {
  return { ...outcome, isUnready: true };
}

function isUnready(outcome: RuleOutcome | undefined): outcome is UnreadyOutcome {
  return outcome !== undefined && 'isUnready' in outcome;
}

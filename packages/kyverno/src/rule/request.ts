import {
  type GroupVersionKind,
  isObject,
  type JsonObject,
  member,
  memberObject,
  textOf,
} from '@kubeadmit/apimachinery';
import type { RequestAttributes } from '@kubeadmit/engine';
import { byteLength } from '@kubeadmit/go';
import { imagesOf } from '../context/images.ts';
import { JsonContext } from '../context/json-context.ts';
import { splitDottedName } from '../context/merge.ts';
import { withDoubles, withIntegers } from '../context/numbers.ts';
import type { ContextSources } from '../context/sources.ts';
import type { Failure } from '../jmespath/steps/failure.ts';
import { MatchSubject, objectKindOf, type RequestFacts } from '../match/subject.ts';
import type { RuleTracer } from '../trace/rule-trace.ts';
import type { Configuration } from './configuration.ts';
import type { Exception } from './exception.ts';

/** An object of a request in the forms that policies need, each created on first use. */
export class ObjectForms {
  readonly object: JsonObject;
  #kind: GroupVersionKind | undefined;
  #doubles: JsonObject | undefined;
  #integers: JsonObject | undefined;
  #images: JsonObject | Failure | undefined | null = null;

  constructor(object: JsonObject) {
    this.object = object;
  }

  /** The kind that the object says it has. */
  get kind(): GroupVersionKind {
    this.#kind ??= objectKindOf(this.object);
    return this.#kind;
  }

  /** With doubles alone. */
  get doubles(): JsonObject {
    this.#doubles ??= withDoubles(this.object) as JsonObject;
    return this.#doubles;
  }

  /** With integers and doubles distinguished. */
  get integers(): JsonObject {
    if (this.#integers !== undefined) return this.#integers;
    const converted = withIntegers(this.object);
    this.#integers = isObject(converted) ? converted : this.object;
    return this.#integers;
  }

  /** The forms of the object with integers and doubles distinguished, which one policy passes to the next. */
  get ofIntegers(): ObjectForms {
    if (this.#integers === this.object) return this;
    const forms = new ObjectForms(this.integers);
    forms.#integers = forms.object;
    forms.#doubles = this.#doubles;
    forms.#kind = this.#kind;
    return forms;
  }

  /** The variable `images`; undefined where there are none. */
  get images(): JsonObject | Failure | undefined {
    if (this.#images === null) this.#images = imagesOf(this.object);
    return this.#images;
  }
}

/** The properties of a request other than its objects; they may differ from policy to policy. */
export interface RequestSetting {
  readonly operation: string;
  /** Facts about the user that the variable `request` shows in addition to `userInfo`. */
  readonly userVariables?: JsonObject | undefined;
  readonly facts: RequestFacts;
  readonly sources: ContextSources;
  /** Variables by dotted names that are there from the beginning; those of `request.object` change the object. */
  readonly variables?: ReadonlyMap<string, unknown> | undefined;
  readonly exceptions: readonly Exception[];
  /** Whether objects come from a cluster: their integers are integers in patterns. */
  readonly isCluster: boolean;
  readonly now?: number | undefined;
  /** The ConfigMap `kyverno`, if given. */
  readonly configuration?: Configuration | undefined;
  /** The objects of the cluster, as far as they are given: targets of mutation and parameters of CEL rules. */
  readonly existing?: readonly JsonObject[] | undefined;
  /** Records the evaluation of the request, which then takes longer. */
  readonly trace?: RuleTracer | undefined;
  /** The request as kube-apiserver sees it before it calls the webhook of a policy; absent without a webhook. */
  readonly webhook?: RequestAttributes | undefined;
}

/** A request to be judged by policies. */
export interface Request extends RequestSetting {
  /** The new object; missing on DELETE. */
  readonly object: JsonObject | undefined;
  /** The object before an update or a deletion. */
  readonly oldObject: JsonObject | undefined;
  readonly newForms: ObjectForms | undefined;
  readonly oldForms: ObjectForms | undefined;
}

/**
 * A request about objects in the forms that its policies share; the old object is the new one where it is not given.
 */
export function makeRequest(
  setting: RequestSetting,
  forms: ObjectForms | undefined,
  givenOld: ObjectForms | undefined,
): Request {
  const { operation } = setting;
  const old = givenOld ?? forms;
  const newForms = operation === 'DELETE' ? undefined : forms;
  const oldForms = operation === 'DELETE' || operation === 'UPDATE' ? old : undefined;
  const kind = setting.facts.kind ?? (newForms ?? oldForms)?.kind;
  // Every member by its name: to spread an object takes far longer.
  return {
    operation,
    userVariables: setting.userVariables,
    facts: factsWith(setting.facts, kind),
    sources: setting.sources,
    variables: setting.variables,
    exceptions: setting.exceptions,
    isCluster: setting.isCluster,
    now: setting.now,
    configuration: setting.configuration,
    existing: setting.existing,
    trace: setting.trace,
    webhook: setting.webhook,
    object: newForms?.object,
    oldObject: oldForms?.object,
    newForms,
    oldForms,
  };
}

function factsWith(facts: RequestFacts, kind: GroupVersionKind | undefined): RequestFacts {
  if (kind === undefined || kind === facts.kind) return facts;
  const { subresource, operation, namespaceLabels, namespace, user } = facts;
  return { subresource, operation, namespaceLabels, namespace, user, kind };
}

/** The state of a request while one policy is evaluated. */
export class PolicyRequest {
  readonly request: Request;
  readonly context: JsonContext;
  readonly policyNamespace: string;
  /** The sources of the rule that is evaluated. */
  sources: ContextSources;
  /** The new object with integers and doubles distinguished, as in Kyverno's engine. */
  object: JsonObject | undefined;
  oldObject: JsonObject | undefined;
  operation: string;
  #subject: MatchSubject | undefined;
  #subjectObject: JsonObject | undefined;
  #ruleEnded = false;

  constructor(request: Request, policyNamespace: string) {
    const { isCluster, operation } = request;
    this.request = request;
    this.policyNamespace = policyNamespace;
    this.sources = request.sources;
    this.operation = operation;
    this.object = isCluster ? request.newForms?.integers : request.object;
    this.oldObject = isCluster ? request.oldForms?.integers : request.oldObject;
    this.context = new JsonContext(() => initialData(request), {
      now: request.now,
      operation,
      trace: request.trace,
      images: () => (operation === 'DELETE' ? request.oldForms : request.newForms)?.images,
    });
    if (request.variables !== undefined) this.#writeVariables(request.variables);
  }

  /**
   * Evaluates a rule with the values that are given for it. The context is restored before the next rule.
   */
  duringRule<Result>(rule: string, ask: () => Result): Result {
    this.#settle();
    const { sources } = this.request;
    const values = sources.valuesOf?.(rule);
    this.sources = values === undefined ? sources : { ...sources, values };
    this.context.checkpoint();
    try {
      return ask();
    } finally {
      this.#ruleEnded = true;
    }
  }

  #settle(): void {
    if (!this.#ruleEnded) return;
    this.#ruleEnded = false;
    this.context.restore();
    if (this.object !== undefined) this.showObject('object', this.object);
  }

  /** The objects are read back from the context, as the Kyverno CLI does. */
  #writeVariables(variables: ReadonlyMap<string, unknown>): void {
    for (const [name, value] of variables) {
      const path = splitDottedName(name);
      this.context.add(path, value);
      if (path[0] !== 'request') continue;
      if (path[1] === 'object' && this.object !== undefined) {
        this.object = this.#shown('object') ?? this.object;
      } else if (path[1] === 'oldObject' && this.oldObject !== undefined) {
        this.oldObject = this.#shown('oldObject') ?? this.oldObject;
      }
    }
  }

  #shown(name: 'object' | 'oldObject'): JsonObject | undefined {
    const shown = this.context.query(`request.${name}`);
    return isObject(shown) ? shown : undefined;
  }

  /** Returns the properties of an object that filters read. */
  subjectOf(object: JsonObject): MatchSubject {
    if (this.#subject === undefined || this.#subjectObject !== object) {
      const { facts } = this.request;
      const isSame = facts.operation === this.operation;
      this.#subject = new MatchSubject(
        object,
        isSame ? facts : { ...facts, operation: this.operation },
      );
      this.#subjectObject = object;
    }
    return this.#subject;
  }

  /** The kind that generated rules are chosen by. */
  get kind(): string {
    const { kind } = this.request.facts;
    const object = this.object ?? this.oldObject;
    return kind?.kind ?? (object === undefined ? '' : objectKindOf(object).kind);
  }

  /** Puts objects in the place of those of the request, in the context too. */
  setObjects(oldObject: JsonObject | undefined, object: JsonObject | undefined): void {
    this.object = object;
    this.oldObject = oldObject;
    this.showObject('object', object);
    this.showObject('oldObject', oldObject);
  }

  /** Makes the context show an object. */
  showObject(name: 'object' | 'oldObject', object: JsonObject | undefined): void {
    if (object !== undefined && this.context.shows(name, object)) return;
    this.context.removeFromRequest(name);
    this.context.add(['request', name], object ?? null);
  }

  setOperation(operation: string): void {
    this.operation = operation;
    this.#subject = undefined;
    this.context.setOperation(operation);
  }
}

/** Returns the data that variables read before any rule has loaded its context. */
function initialData(request: Request): JsonObject {
  const { object, oldObject, newForms, oldForms, operation, userVariables } = request;
  const subject = (operation === 'DELETE' ? oldObject : object) ?? {};
  const namespace = member(memberObject(subject, 'metadata'), 'namespace');
  const shown: JsonObject = {};
  if (object !== undefined || operation !== 'DELETE') shown['object'] = newForms?.doubles ?? {};
  if (oldObject !== undefined) shown['oldObject'] = oldForms?.doubles;
  shown['namespace'] = textOf(namespace);
  if (userVariables === undefined) {
    shown['operation'] = operation;
    return { request: shown };
  }
  return {
    request: { ...shown, ...userVariables, operation },
    ...serviceAccountOf(request.facts.user.username),
  };
}

/** The name and namespace in `system:serviceaccount:namespace:name`, taken by length alone. */
function serviceAccountOf(username: string): JsonObject {
  const rest = byteLength(username) <= 22 ? '' : username.slice(22);
  const parts = rest.split(':');
  const isAccount = parts.length >= 2;
  return {
    serviceAccountName: isAccount ? parts[1] : '',
    serviceAccountNamespace: isAccount ? parts[0] : '',
  };
}

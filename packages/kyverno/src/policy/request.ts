import { imagesOf } from '../context/images.ts';
import { JsonContext } from '../context/json-context.ts';
import { splitDottedName } from '../context/merge.ts';
import type { ContextSources } from '../context/sources.ts';
import { Failure } from '../jmespath/failure.ts';
import type { MatchSubject, RequestFacts } from '../match/subject.ts';
import { matchSubjectOf, metadataOf, objectKindOf } from '../match/subject.ts';
import { isObject, type JsonObject, member, withDoubles, withIntegers } from '../values/value.ts';
import type { Configuration } from './configuration.ts';
import type { Exception } from './exceptions.ts';

/** A request to be judged by policies. */
export interface Request {
  /** The new object; missing on DELETE. */
  readonly object?: JsonObject | undefined;
  /** The object before an update or a deletion. */
  readonly oldObject?: JsonObject | undefined;
  readonly operation: string;
  /** What is known of the user, as the variable `request` shows it beside `userInfo`. */
  readonly userVariables?: JsonObject;
  readonly facts: RequestFacts;
  readonly sources: ContextSources;
  /** Variables by dotted names that are there from the beginning; those of `request.object` change the object. */
  readonly variables?: ReadonlyMap<string, unknown>;
  readonly exceptions: readonly Exception[];
  /** Whether objects come from a cluster: their integers are integers in patterns. */
  readonly isCluster: boolean;
  readonly now?: number | undefined;
  /** What the ConfigMap `kyverno` says, where it is given. */
  readonly configuration?: Configuration;
  /** The objects of the cluster, as far as they are given: targets of mutation and parameters of CEL rules. */
  readonly existing?: readonly JsonObject[];
}

/** The state of a request while one policy is evaluated. */
export class PolicyRequest {
  readonly request: Request;
  readonly context: JsonContext;
  readonly policyNamespace: string;
  /** The sources of the rule that is evaluated. */
  sources: ContextSources;
  /** The new object with integers and doubles told apart as the engine does. */
  object: JsonObject | undefined;
  oldObject: JsonObject | undefined;
  operation: string;
  #subject: MatchSubject | undefined;
  #subjectObject: JsonObject | undefined;

  constructor(request: Request, policyNamespace: string) {
    this.request = request;
    this.policyNamespace = policyNamespace;
    this.sources = request.sources;
    this.operation = request.operation;
    this.object = typed(request.object, request.isCluster);
    this.oldObject = typed(request.oldObject, request.isCluster);
    this.context = makeContext(request);
    if (request.variables !== undefined) this.#writeVariables(request.variables);
  }

  /** Takes the values that are given for a rule. */
  enterRule(rule: string): void {
    const { sources } = this.request;
    const values = sources.valuesOf?.(rule);
    this.sources = values === undefined ? sources : { ...sources, values };
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

  /** What filters look at in an object of this request. */
  subjectOf(object: JsonObject): MatchSubject {
    if (this.#subject === undefined || this.#subjectObject !== object) {
      const { facts } = this.request;
      const isSame = facts.operation === this.operation;
      this.#subject = matchSubjectOf(
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

function typed(object: JsonObject | undefined, isCluster: boolean): JsonObject | undefined {
  if (object === undefined || !isCluster) return object;
  const converted = withIntegers(object);
  return isObject(converted) ? converted : object;
}

function makeContext(request: Request): JsonContext {
  const { object, oldObject, operation, userVariables } = request;
  const subject = (operation === 'DELETE' ? oldObject : object) ?? {};
  const namespace = member(metadataOf(subject), 'namespace');
  const context = new JsonContext(
    {
      request: {
        ...((object !== undefined || operation !== 'DELETE') && {
          object: withDoubles(object ?? {}),
        }),
        ...(oldObject !== undefined && { oldObject: withDoubles(oldObject) }),
        namespace: typeof namespace === 'string' ? namespace : '',
        ...userVariables,
        operation,
      },
      ...(userVariables && serviceAccountOf(request.facts.user.username)),
    },
    { now: request.now, operation },
  );
  context.defer('images', {
    isLoaded: () => false,
    load: () => {
      const images = imagesOf(subject);
      if (images instanceof Failure) return images;
      if (images !== undefined) context.add(['images'], images);
      return undefined;
    },
  });
  return context;
}

/** The name and namespace in `system:serviceaccount:namespace:name`, taken by length alone. */
function serviceAccountOf(username: string): JsonObject {
  const rest = new TextEncoder().encode(username).length <= 22 ? '' : username.slice(22);
  const parts = rest.split(':');
  const isAccount = parts.length >= 2;
  return {
    serviceAccountName: isAccount ? parts[1] : '',
    serviceAccountNamespace: isAccount ? parts[0] : '',
  };
}

import {
  member as memberOf,
  parseFieldSelector,
  parseLabelSelector,
} from '@kubeadmit/apimachinery';
import { dns1123LabelProblems, dns1123SubdomainProblems } from '@kubeadmit/apimachinery/names';
import { describeValue } from '@kubeadmit/base';
import { CelError, type Library, type Type, type Value } from '@kubeadmit/cel';
import { type FunctionRow, functionsOf } from '@kubeadmit/cel/declarations';
import { structType } from '@kubeadmit/cel/types';
import { noOverload, OpaqueValue } from '@kubeadmit/cel/values';
import { trimSpace } from '@kubeadmit/go';
import type {
  Authorizer,
  AuthorizerAttributes,
  AuthorizerDecision,
  AuthorizerUser,
  ResourceAttributes,
} from '../authorizer/authorizer.ts';

/** The type of `authorizer`. */
export const authorizerType: Type = structType('kubernetes.authorization.Authorizer');
const pathCheckType: Type = structType('kubernetes.authorization.PathCheck');
const groupCheckType: Type = structType('kubernetes.authorization.GroupCheck');
/** The type of `authorizer.requestResource`. */
export const resourceCheckType: Type = structType('kubernetes.authorization.ResourceCheck');
const decisionType: Type = structType('kubernetes.authorization.Decision');

/**
 * A value that only serves as a receiver: even with itself it cannot be compared. It has no fields, which V8 makes slowly
 * for a class with more than four under it.
 */
abstract class Receiver extends OpaqueValue {
  equals(): CelError {
    return noOverload();
  }
}

/** Asks an authorizer for one user; the value of the variable `authorizer`. */
export class AuthorizerValue extends Receiver {
  readonly user: AuthorizerUser;
  readonly authorizer: Authorizer;

  constructor(user: AuthorizerUser, authorizer: Authorizer) {
    super();
    this.user = user;
    this.authorizer = authorizer;
  }

  get type(): Type {
    return authorizerType;
  }

  get goType(): string {
    return 'library.authorizerVal';
  }
}

class PathCheckValue extends Receiver {
  readonly parent: AuthorizerValue;
  readonly path: string;

  constructor(parent: AuthorizerValue, path: string) {
    super();
    this.parent = parent;
    this.path = path;
  }

  get type(): Type {
    return pathCheckType;
  }

  get goType(): string {
    return 'library.pathCheckVal';
  }

  check(verb: string): DecisionValue {
    const { user, authorizer } = this.parent;
    return decide(authorizer, { kind: 'path', user, verb, path: this.path });
  }
}

class GroupCheckValue extends Receiver {
  readonly parent: AuthorizerValue;
  readonly group: string;

  constructor(parent: AuthorizerValue, group: string) {
    super();
    this.parent = parent;
    this.group = group;
  }

  get type(): Type {
    return groupCheckType;
  }

  get goType(): string {
    return 'library.groupCheckVal';
  }
}

/** A question about a resource; empty strings are omitted. */
export interface ResourceQuestion {
  readonly group: string;
  readonly resource: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly fieldSelector?: string;
  readonly labelSelector?: string;
}

/** A question about a resource; the value of the variable `authorizer.requestResource`. */
export class ResourceCheckValue extends Receiver {
  readonly #parent: AuthorizerValue;
  readonly #question: ResourceQuestion;

  constructor(parent: AuthorizerValue, question: ResourceQuestion) {
    super();
    this.#parent = parent;
    this.#question = question;
  }

  get type(): Type {
    return resourceCheckType;
  }

  get goType(): string {
    return 'library.resourceCheckVal';
  }

  /** The same question with one part changed. */
  with(part: Partial<ResourceQuestion>): ResourceCheckValue {
    return new ResourceCheckValue(this.#parent, { ...this.#question, ...part });
  }

  check(verb: string): DecisionValue {
    const { user, authorizer } = this.#parent;
    const { group, resource, fieldSelector = '', labelSelector = '' } = this.#question;
    const { subresource = '', namespace = '', name = '' } = this.#question;
    const attributes: ResourceAttributes = {
      kind: 'resource',
      user,
      verb,
      group,
      resource,
      subresource,
      namespace,
      name,
      ...(fieldSelector === '' ? {} : { fieldSelector: parseFieldSelector(fieldSelector) }),
      ...(labelSelector === '' ? {} : { labelSelector: parseLabelSelector(labelSelector) }),
    };
    return decide(authorizer, attributes);
  }
}

const decisions: ReadonlySet<unknown> = new Set(['allow', 'deny', 'no-opinion']);

// Reject anything but a decision: a promise, for example, would be neither allowed nor denied.
function decide(authorizer: Authorizer, attributes: AuthorizerAttributes): DecisionValue {
  const given: unknown = authorizer.authorize(attributes);
  if (decisions.has(memberOf(given, 'decision')))
    return new DecisionValue(given as AuthorizerDecision);
  throw new TypeError(`\`authorize\` gave ${describeValue(given)}, which has no \`decision\``);
}

class DecisionValue extends Receiver {
  readonly decision: AuthorizerDecision;

  constructor(decision: AuthorizerDecision) {
    super();
    this.decision = decision;
  }

  get type(): Type {
    return decisionType;
  }

  get goType(): string {
    return 'library.decisionVal';
  }
}

function serviceAccount({ authorizer }: AuthorizerValue, namespace: string, name: string): Value {
  if (dns1123SubdomainProblems(name).length > 0) {
    return new CelError('Invalid service account name');
  }
  if (dns1123LabelProblems(namespace).length > 0) {
    return new CelError('Invalid service account namespace');
  }
  const user: AuthorizerUser = {
    username: `system:serviceaccount:${namespace}:${name}`,
    groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`],
  };
  return new AuthorizerValue(user, authorizer);
}

/** A method of ResourceCheck that sets one part of the question. */
function builder(name: keyof ResourceQuestion, id: string): FunctionRow {
  return [
    name,
    id,
    'ResourceCheck.(string) -> ResourceCheck',
    (check: ResourceCheckValue, value: string) => check.with({ [name]: value }),
  ];
}

function decisionPart(
  name: string,
  result: string,
  read: (decision: AuthorizerDecision) => Value,
): FunctionRow {
  return [
    name,
    `decision_${name}`,
    `Decision.() -> ${result}`,
    ({ decision }: DecisionValue) => read(decision),
  ];
}

function check(question: PathCheckValue | ResourceCheckValue, verb: string): Value {
  return question.check(verb);
}

function path(parent: AuthorizerValue, given: string): Value {
  return trimSpace(given) === ''
    ? new CelError('path must not be empty')
    : new PathCheckValue(parent, given);
}

function resource({ parent, group }: GroupCheckValue, given: string): Value {
  return trimSpace(given) === ''
    ? new CelError('resource must not be empty')
    : new ResourceCheckValue(parent, { group, resource: given });
}

const types: Readonly<Record<string, Type>> = {
  Authorizer: authorizerType,
  PathCheck: pathCheckType,
  GroupCheck: groupCheckType,
  ResourceCheck: resourceCheckType,
  Decision: decisionType,
};

/**
 * Authorization checks (apiserver pkg/cel/library/authz.go).
 *
 * - `authorizer.group("apps").resource("deployments").namespace("a").check("create").allowed()`
 * - `authorizer.path("/healthz").check("get").reason()`
 * - `authorizer.serviceAccount("namespace", "name")` asks for another user.
 */
export const authorizerLibrary: Library = {
  name: 'kubernetes.authz',
  functions: functionsOf(
    [
      ['path', 'authorizer_path', 'Authorizer.(string) -> PathCheck', path],
      [
        'group',
        'authorizer_group',
        'Authorizer.(string) -> GroupCheck',
        (parent: AuthorizerValue, group: string) => new GroupCheckValue(parent, group),
      ],
      [
        'serviceAccount',
        'authorizer_serviceaccount',
        'Authorizer.(string, string) -> Authorizer',
        serviceAccount,
      ],
      ['resource', 'groupcheck_resource', 'GroupCheck.(string) -> ResourceCheck', resource],
      builder('subresource', 'resourcecheck_subresource'),
      builder('namespace', 'resourcecheck_namespace'),
      builder('name', 'resourcecheck_name'),
      ['check', 'pathcheck_check', 'PathCheck.(string) -> Decision', check],
      ['check', 'resourcecheck_check', 'ResourceCheck.(string) -> Decision', check],
      decisionPart('errored', 'bool', ({ error }) => error !== undefined),
      decisionPart('error', 'string', ({ error }) => error ?? ''),
      decisionPart('allowed', 'bool', ({ decision }) => decision === 'allow'),
      decisionPart('reason', 'string', ({ reason }) => reason),
    ],
    types,
  ),
};

/** Selectors for authorization checks: `….fieldSelector("spec.nodeName=a").labelSelector("b")`. */
export const authorizerSelectorsLibrary: Library = {
  name: 'kubernetes.authzSelectors',
  functions: functionsOf(
    [
      builder('fieldSelector', 'authorizer_fieldselector'),
      builder('labelSelector', 'authorizer_labelselector'),
    ],
    types,
  ),
};

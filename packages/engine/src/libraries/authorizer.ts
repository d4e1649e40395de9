import { member as memberOf, parseLabelSelector } from '@kubeadmit/apimachinery';
import { parseFieldSelector } from '@kubeadmit/apimachinery/internal';
import { dns1123LabelProblems, dns1123SubdomainProblems } from '@kubeadmit/apimachinery/names';
import { CelError, type Library, type Type, type Value } from '@kubeadmit/cel';
import { boolType, OpaqueValue, stringType, structType } from '@kubeadmit/cel/internal';
import { describeValue, trimSpace } from '@kubeadmit/go/internal';
import type {
  Authorizer,
  AuthorizerAttributes,
  AuthorizerDecision,
  AuthorizerUser,
  ResourceAttributes,
} from '../authorizer/authorizer.ts';
import { declare, member, noSuchOverload } from './declare.ts';

/** The type of `authorizer`. */
export const authorizerType: Type = structType('kubernetes.authorization.Authorizer');
const pathCheckType: Type = structType('kubernetes.authorization.PathCheck');
const groupCheckType: Type = structType('kubernetes.authorization.GroupCheck');
/** The type of `authorizer.requestResource`. */
export const resourceCheckType: Type = structType('kubernetes.authorization.ResourceCheck');
const decisionType: Type = structType('kubernetes.authorization.Decision');

/** A value that only serves as a receiver: even with itself it cannot be compared. */
abstract class Receiver extends OpaqueValue {
  equals(): CelError {
    return noSuchOverload();
  }
}

/** Asks an authorizer for one user; the value of the variable `authorizer`. */
export class AuthorizerValue extends Receiver {
  readonly goType: string = 'library.authorizerVal';
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
}

class PathCheckValue extends Receiver {
  readonly goType: string = 'library.pathCheckVal';
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

  check(verb: string): DecisionValue {
    const { user, authorizer } = this.parent;
    return decide(authorizer, { kind: 'path', user, verb, path: this.path });
  }
}

class GroupCheckValue extends Receiver {
  readonly goType: string = 'library.groupCheckVal';
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
}

/** What is asked about a resource; empty texts are not given. */
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
  readonly goType: string = 'library.resourceCheckVal';
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

// What is no decision, such as the promise of one, would be neither allowed nor denied.
function decide(authorizer: Authorizer, attributes: AuthorizerAttributes): DecisionValue {
  const given: unknown = authorizer.authorize(attributes);
  if (decisions.has(memberOf(given, 'decision')))
    return new DecisionValue(given as AuthorizerDecision);
  throw new TypeError(`\`authorize\` gave ${describeValue(given)}, which has no \`decision\``);
}

class DecisionValue extends Receiver {
  readonly goType: string = 'library.decisionVal';
  readonly decision: AuthorizerDecision;

  constructor(decision: AuthorizerDecision) {
    super();
    this.decision = decision;
  }

  get type(): Type {
    return decisionType;
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
function builder(name: keyof ResourceQuestion, id: string) {
  return declare(
    name,
    member(
      id,
      [resourceCheckType, stringType],
      resourceCheckType,
      (check: ResourceCheckValue, value: string) => check.with({ [name]: value }),
    ),
  );
}

function decisionPart(name: string, result: Type, read: (decision: AuthorizerDecision) => Value) {
  return declare(
    name,
    member(`decision_${name}`, [decisionType], result, ({ decision }: DecisionValue) =>
      read(decision),
    ),
  );
}

/**
 * Authorization checks (apiserver pkg/cel/library/authz.go).
 *
 * - `authorizer.group("apps").resource("deployments").namespace("a").check("create").allowed()`
 * - `authorizer.path("/healthz").check("get").reason()`
 * - `authorizer.serviceAccount("namespace", "name")` asks for another user.
 */
export const authorizerLibrary: Library = {
  name: 'kubernetes.authz',
  functions: [
    declare(
      'path',
      member(
        'authorizer_path',
        [authorizerType, stringType],
        pathCheckType,
        (parent: AuthorizerValue, path: string) =>
          trimSpace(path) === ''
            ? new CelError('path must not be empty')
            : new PathCheckValue(parent, path),
      ),
    ),
    declare(
      'group',
      member(
        'authorizer_group',
        [authorizerType, stringType],
        groupCheckType,
        (parent: AuthorizerValue, group: string) => new GroupCheckValue(parent, group),
      ),
    ),
    declare(
      'serviceAccount',
      member(
        'authorizer_serviceaccount',
        [authorizerType, stringType, stringType],
        authorizerType,
        serviceAccount,
      ),
    ),
    declare(
      'resource',
      member(
        'groupcheck_resource',
        [groupCheckType, stringType],
        resourceCheckType,
        ({ parent, group }: GroupCheckValue, resource: string) =>
          trimSpace(resource) === ''
            ? new CelError('resource must not be empty')
            : new ResourceCheckValue(parent, { group, resource }),
      ),
    ),
    builder('subresource', 'resourcecheck_subresource'),
    builder('namespace', 'resourcecheck_namespace'),
    builder('name', 'resourcecheck_name'),
    declare(
      'check',
      member(
        'pathcheck_check',
        [pathCheckType, stringType],
        decisionType,
        (check: PathCheckValue, verb: string) => check.check(verb),
      ),
      member(
        'resourcecheck_check',
        [resourceCheckType, stringType],
        decisionType,
        (check: ResourceCheckValue, verb: string) => check.check(verb),
      ),
    ),
    decisionPart('errored', boolType, ({ error }) => error !== undefined),
    decisionPart('error', stringType, ({ error }) => error ?? ''),
    decisionPart('allowed', boolType, ({ decision }) => decision === 'allow'),
    decisionPart('reason', stringType, ({ reason }) => reason),
  ],
};

/** Selectors for authorization checks: `….fieldSelector("spec.nodeName=a").labelSelector("b")`. */
export const authorizerSelectorsLibrary: Library = {
  name: 'kubernetes.authzSelectors',
  functions: [
    builder('fieldSelector', 'authorizer_fieldselector'),
    builder('labelSelector', 'authorizer_labelselector'),
  ],
};

import { type JsonObject, stringMapOf } from '@kubeadmit/apimachinery';
import { CelError, type Type, type Value } from '@kubeadmit/cel';
import { structType } from '@kubeadmit/cel/types';
import { noOverload, OpaqueValue, typeOf } from '@kubeadmit/cel/values';
import type { CosignCheck, CosignLog, CosignSigner } from '../context/image-verifier.ts';
import { field, objectField, objectsField, stringField } from '../fields/fields.ts';
import type { CelProgram, ExpressionCompiler } from './compile-expressions.ts';
import type { Lookup } from './variables.ts';

const attestorType: Type = structType('imageverify.attestor');

/** An attestor of an ImageValidatingPolicy as a CEL value, with the results of its expressions. */
export class AttestorValue extends OpaqueValue {
  readonly type: Type = attestorType;
  readonly goType: string = 'v1alpha1.Attestor';
  readonly name: string;
  /** The requirements of a cosign attestor on an image; undefined for attestors of another type. */
  readonly cosign: Omit<CosignCheck, 'image'> | undefined;
  readonly isNotary: boolean;

  constructor(source: JsonObject) {
    super();
    const cosign = objectField(source, 'cosign');
    this.name = stringField(source, 'name');
    this.cosign = cosign && readCosign(cosign);
    this.isNotary = cosign === undefined && objectField(source, 'notary') !== undefined;
  }

  equals(other: Value): boolean | CelError {
    return other instanceof AttestorValue ? other === this : noOverload();
  }
}

/** An attestor whose expressions are evaluated for each request. */
export interface CompiledAttestor {
  readonly name: string;
  readonly source: JsonObject;
  /** The programs of expressions with Kyverno's words for them, and the members that receive their values. */
  readonly expressions: readonly {
    readonly what: string;
    readonly path: readonly string[];
    readonly program: CelProgram;
  }[];
}

/** Members of attestors with an `expression`, and the name of the member that receives its value. */
const expressionPlaces: readonly (readonly [
  what: string,
  place: readonly string[],
  target: string,
])[] = [
  ['key', ['cosign', 'key'], 'data'],
  ['cert', ['cosign', 'certificate', 'cert'], 'value'],
  ['cert chain', ['cosign', 'certificate', 'certChain'], 'value'],
  ['trustedRoot', ['cosign', 'trustedRoot'], 'value'],
];

/** Compiles the attestors of a policy (Kyverno's `CompileAttestors`). */
export function compileAttestors(
  spec: JsonObject,
  compiler: ExpressionCompiler,
): readonly CompiledAttestor[] {
  return objectsField(spec, 'attestors').map((source, index) => {
    const expressions = expressionPlaces.flatMap(([what, place, target]) => {
      const expression = stringField(memberAt(source, place), 'expression');
      if (expression === '') return [];
      const path = `spec.attestors[${index}].${place.join('.')}.expression`;
      const program = compiler.compile(expression, path);
      return program === undefined ? [] : [{ what, path: [...place, target], program }];
    });
    return { name: stringField(source, 'name'), source, expressions };
  });
}

function memberAt(source: JsonObject, path: readonly string[]): JsonObject {
  let found = source;
  for (const name of path) found = objectField(found, name) ?? {};
  return found;
}

/** Evaluates the expressions of an attestor. */
export function evaluateAttestor(
  { name, source, expressions }: CompiledAttestor,
  lookup: Lookup,
): AttestorValue | CelError {
  let resolved = source;
  for (const { what, path, program } of expressions) {
    const { value } = program.evaluate(lookup);
    const reason =
      value instanceof CelError
        ? `failed to evaluate compiled attestor: ${name}, error: ${value.message}`
        : `failed to convert expression in compiled attestor: ${name}, error: unsupported type conversion from '${typeOf(value)}' to string`;
    if (typeof value !== 'string') {
      return new CelError(
        `failed to convert ${what} in compiled attestor: ${name}, error: ${reason}`,
      );
    }
    resolved = withMember(resolved, path, value);
  }
  return new AttestorValue(resolved);
}

function withMember(
  source: JsonObject,
  [name = '', ...rest]: readonly string[],
  value: string,
): JsonObject {
  if (rest.length === 0) return { ...source, [name]: value };
  return { ...source, [name]: withMember(objectField(source, name) ?? {}, rest, value) };
}

function readCosign(cosign: JsonObject): Omit<CosignCheck, 'image'> {
  const source = objectField(cosign, 'source') ?? {};
  const log = objectField(cosign, 'ctlog');
  return {
    signer: readSigner(cosign),
    repository: stringField(source, 'repository'),
    tagPrefix: stringField(source, 'tagPrefix'),
    annotations: stringMapOf(field(cosign, 'annotations')),
    log: log && readLog(log),
    trustedRoot: stringField(objectField(cosign, 'trustedRoot') ?? {}, 'value'),
  };
}

/** The signer of an attestor; if it names several, `keyless` counts, then `key`. */
function readSigner(cosign: JsonObject): CosignSigner | undefined {
  const keyless = objectField(cosign, 'keyless');
  if (keyless !== undefined) {
    const identities = objectsField(keyless, 'identities').map((identity) => ({
      issuer: stringField(identity, 'issuer'),
      issuerRegExp: stringField(identity, 'issuerRegExp'),
      subject: stringField(identity, 'subject'),
      subjectRegExp: stringField(identity, 'subjectRegExp'),
    }));
    return { kind: 'keyless', identities };
  }
  const key = objectField(cosign, 'key');
  if (key !== undefined) {
    const hashAlgorithm = stringField(key, 'hashAlgorithm');
    return {
      kind: 'key',
      pem: stringField(key, 'data'),
      kms: stringField(key, 'kms'),
      hashAlgorithm,
    };
  }
  const certificate = objectField(cosign, 'certificate');
  if (certificate === undefined) return undefined;
  const valueOf = (name: string): string =>
    stringField(objectField(certificate, name) ?? {}, 'value');
  return { kind: 'certificate', certificate: valueOf('cert'), chain: valueOf('certChain') };
}

function readLog(log: JsonObject): CosignLog {
  return {
    url: stringField(log, 'url'),
    logKey: stringField(log, 'rekorPubKey'),
    timestampKey: stringField(log, 'ctLogPubKey'),
    timestampChain: stringField(log, 'tsaCertChain'),
    ignoresLog: field(log, 'insecureIgnoreTlog') === true,
    ignoresTimestamp: field(log, 'insecureIgnoreSCT') === true,
  };
}

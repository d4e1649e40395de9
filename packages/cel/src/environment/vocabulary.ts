import type { Declarations } from '../check/scope.ts';
import { Definitions } from '../definitions.ts';
import type { ObjectType, ObjectTypes } from '../host/object-types.ts';
import type { Library } from '../library.ts';
import type { MakeHostPath, PlanPaths } from '../plan/path.ts';
import type { PlanEnvironment } from '../plan/planning.ts';
import { standardCost } from '../standard/costs.ts';
import { mixedComparisons } from '../standard/operators.ts';
import { type FindNamedType, typeFrom } from '../standard/signature.ts';
import { wellKnownConstants, wellKnownField, wellKnownTypes } from '../standard/well-known.ts';
import type { ParseOptions } from '../syntax/expression-parser.ts';
import { dynType, structType, Type } from '../types.ts';
import type { Value } from '../values/value.ts';
import type { EnvironmentOptions } from './options.ts';

/** What every expression may use. */
export interface Standard {
  /** Functions, macros and types. */
  readonly library: Library;
  /** Makes a message of `google.protobuf` of its fields. */
  readonly createMessage: (name: string, fields: ReadonlyMap<string, Value>) => Value;
}

/** What does not follow from the options, or is known already. */
interface Known {
  readonly standard: Standard;
  readonly definitions?: Definitions | undefined;
  /** What the types among the options come to. */
  readonly types?: ReadonlyMap<string, ObjectType>;
  /** The same, to convert values by. */
  readonly hostTypes?: ObjectTypes;
  /** How data of the host is read; absent where values of CEL are bound to variables. */
  readonly makePath?: MakeHostPath;
  /** How values of CEL are read faster. */
  readonly paths?: PlanPaths;
}

/** What the names of an environment mean, to the parser, the checker and the planner. It does not change. */
export class Vocabulary {
  readonly options: EnvironmentOptions;
  /** The types of the host. */
  readonly types: ReadonlyMap<string, ObjectType>;
  /** The same, to convert values by; absent where nobody declares any. */
  readonly hostTypes: ObjectTypes | undefined;
  readonly variables: ReadonlyMap<string, Type>;
  readonly parseOptions: ParseOptions;
  readonly declarations: Declarations;
  readonly planEnvironment: PlanEnvironment;
  /** What the libraries declare, once that is known. */
  known: Definitions | undefined;
  #knownQualifiers: ReadonlySet<string> | undefined = undefined;
  readonly #standard: Standard;
  readonly #makePath: MakeHostPath | undefined;
  readonly #paths: PlanPaths | undefined;

  constructor(options: EnvironmentOptions, known: Known) {
    this.options = options;
    this.known = known.definitions;
    this.types = known.types ?? new Map();
    this.hostTypes = known.hostTypes;
    this.#standard = known.standard;
    this.#makePath = known.makePath;
    this.#paths = known.paths;
    this.variables = new Map(
      Object.entries(options.variables ?? {}).map(([name, type]) => [name, this.typeOf(type)]),
    );
    const { optionalSyntax, escapedIdentifiers } = options;
    this.parseOptions = {
      ...(optionalSyntax === undefined ? {} : { optionalSyntax }),
      ...(escapedIdentifiers === undefined ? {} : { escapedIdentifiers }),
    };
    // What libraries declare is put together now, so that mistakes in it are told of here.
    if (options.libraries !== undefined) this.known ??= this.#define();
    this.declarations = this.#makeDeclarations();
    this.planEnvironment = this.#makePlanEnvironment();
  }

  /** All that the libraries and the types of the host declare. */
  get definitions(): Definitions {
    this.known ??= this.#define();
    return this.known;
  }

  /** What stands before the first dot of the names that have one. */
  get #qualifiers(): ReadonlySet<string> {
    this.#knownQualifiers ??= new Set(
      [
        this.variables,
        this.types,
        wellKnownConstants,
        new Map(Object.entries(this.options.constants ?? {})),
        this.definitions.types,
        this.definitions.functions,
      ]
        .flatMap((names) => [...names.keys()])
        .filter((name) => name.includes('.'))
        .map((name) => name.slice(0, name.indexOf('.'))),
    );
    return this.#knownQualifiers;
  }

  /** Finds the type of a name in signatures. */
  readonly namedType: FindNamedType = (name) =>
    this.types.has(name) || this.options.structs?.has(name) === true
      ? structType(name)
      : this.definitions.types.get(name);

  /** A type, or the one that a text such as `list<int>` names; throws a `TypeError` where it names none. */
  typeOf(type: Type | string): Type {
    return type instanceof Type ? type : typeFrom(type, this.namedType);
  }

  #define(): Definitions {
    const types = Array.from(this.types.keys(), structType);
    const libraries = [this.#standard.library, ...(this.options.libraries ?? [])];
    if (types.length > 0) libraries.push({ name: 'registered types', types });
    return new Definitions(libraries);
  }

  #makeDeclarations(): Declarations {
    const { container = '' } = this.options;
    const allowsMixed = this.options.mixedComparisons ?? true;
    const hasStruct = (name: string): boolean => this.#hasStruct(name);
    const namedType = (name: string): Type | undefined => this.definitions.types.get(name);
    const constant = (name: string): Value | undefined => {
      const { constants } = this.options;
      return constants !== undefined && Object.hasOwn(constants, name)
        ? constants[name]
        : wellKnownConstants.get(name);
    };
    const isFree = (name: string): boolean =>
      this.options.unlistedVariablesAreDyn === true &&
      !name.includes('.') &&
      namedType(name) === undefined &&
      constant(name) === undefined &&
      !hasStruct(name);
    return {
      container,
      variableType: (name) => this.variables.get(name) ?? (isFree(name) ? dynType : undefined),
      findFunction: (name) => {
        const found = this.definitions.functions.get(name);
        return found?.internal === true ? undefined : found;
      },
      namedType,
      hasStruct,
      fieldType: (struct, field) => {
        const { structs } = this.options;
        if (structs?.has(struct) === true) return structs.fieldType(struct, field);
        return this.hostTypes?.has(struct) === true
          ? this.hostTypes.fieldType(struct, field)
          : wellKnownField(struct, field);
      },
      constant,
      mayQualify: (name) =>
        this.options.structs !== undefined ||
        container !== '' ||
        name.startsWith('.') ||
        this.#qualifiers.has(name),
      isDisabled: (overload) => !allowsMixed && mixedComparisons.has(overload),
    };
  }

  #hasStruct(name: string): boolean {
    return (
      this.options.structs?.has(name) === true || this.types.has(name) || wellKnownTypes.has(name)
    );
  }

  #makePlanEnvironment(): PlanEnvironment {
    const makePath = this.options.bindingsAreValues === true ? undefined : this.#makePath;
    return {
      host: makePath && {
        typeOf: (name) => this.variables.get(name) ?? dynType,
        types: this.hostTypes,
        makePath,
      },
      paths: this.#paths,
      typeValue: (name) =>
        this.definitions.evaluableTypes.has(name) || this.options.structs?.has(name) === true
          ? this.definitions.types.get(name)
          : undefined,
      hasStruct: (name) => this.#hasStruct(name),
      structMaker: (name) => {
        const { structs } = this.options;
        const create = structs?.has(name) === true ? structs.create : undefined;
        if (create !== undefined) return (fields) => create.call(structs, name, fields);
        const types = this.hostTypes?.has(name) === true ? this.hostTypes : undefined;
        return (fields) =>
          types === undefined
            ? this.#standard.createMessage(name, fields)
            : types.create(name, fields);
      },
      callCost: (name, overload) =>
        this.definitions.overloadCosts.get(overload) ??
        this.options.callCost?.(name, overload) ??
        standardCost(overload),
    };
  }
}

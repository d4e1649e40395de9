import { createRequire } from 'node:module';
import { decode, encode } from '@jridgewell/sourcemap-codec';
import { defineConfig, type Plugin } from 'vite';
import { commanderModules } from './bundle/commander-modules.ts';
import { exportedValues } from './bundle/exported-values.ts';
import { typesFile } from './bundle/types-file.ts';

/** What every command runs, and all that the version takes. */
const everyCommand =
  /\/cli\/(?:package\.json|src\/(?:compile-whole|program|terminal|version|input\/streams|commands\/version)\.ts)$|\/node_modules\/commander\//;

/** What commands are called, with their options and helps: first those that are asked for most, and what more have. */
const commonDefinitions =
  /\/cli\/src\/(?:commands\/(?:check|context|lint|input-options)|output\/(?:targets|formats\/names))\.ts$/;
const definitions = /\/cli\/src\/(?:commands\/|init\/templates)/;

/** What most commands need of these packages: all but the folders for what few of them do. */
const common =
  /\/packages\/(?!(?:check|lint)\/src\/kyverno\/)(?:go|cel|schemas|engine|custom-resources|matcher|admission|manifest|lint|check)\/src\/(?!(?:explain|kyverno-tests|machine|merge|number|protobuf|regex|yaml\/reader)\/|mutations\/(?!matched-kinds\.ts)|syntax-errors\/(?!(?:describe-syntax-errors|issue|limits|macro)\.ts))/;

/** What few runs of `check` and `lint` need, by packages: sources that others name in functions alone. */
const seldom: ReadonlyMap<string | undefined, RegExp> = new Map([
  ['admission', /^static-manifests/],
  ['apimachinery', /^(?:semver\/parse-semver|selectors\/parse-label-selector)/],
  [
    'cel',
    /^(?:check\/resolver|libraries\/pattern-sort|evaluator|plan\/host-path|values\/(?:host-kind|to-cel|to-js))/,
  ],
  ['check', /^scan\/concerned-kinds/],
  ['cli', /^(?:input\/glob|output\/(?:held-texts|input-hint))/],
  [
    'custom-resources',
    /^definition\/(?:kubernetes-call-estimate|most-cost|validate-(?:list-schema|rules))\.ts/,
  ],
  ['engine', /^environment\/(?:declared-type|evaluate-expression|variable-value)/],
  [
    'go',
    /^(?:encoding\/base64|json\/syntax-error|network\/url|time\/(?:duration|format-time|parse-time))/,
  ],
  ['lint', /^(?:inputs\/refusal-problems|repair|expressions\/(?:nearest-names|undefined-fields))/],
  ['manifest', /^(?:locate|scalar-source|write-yaml)/],
  [
    'schemas',
    /^(?:decode\/(?:convert-)?autoscaler|defaults\/pod-resources|types\/struct-(?:syntax|text))/,
  ],
]);

/** What `check` and `lint` make of their arguments and write. */
const checking =
  /\/packages\/lint\/src\/(?:inputs\/(?!static-manifests)|located|issue|type-below|kyverno\/kinds|policies\/unknown-fields)|\/cli\/src\/(?:(?:check|lint|input|output\/formats)\/(?!(?:cluster-inputs|watch)\.ts)[^/]+|input\/elsewhere\/(?:elsewhere|found-text|git|programs)|output\/(?:counts|excerpt|left-out|lint-report|problems|progress|style)|long-run|stopwatch)\.ts$|\/files\/src\/(?:read-(?:error-)?text|static-manifest-files)\.ts$/;

/** The language server's library has entries for Node alone, which the conditions for browsers do not find. */
const nodeEntries: Plugin = {
  name: 'node-entries',
  enforce: 'pre',
  resolveId: {
    filter: { id: /^vscode-(?:languageserver(?:-protocol)?|jsonrpc)\/node$/ },
    handler: (id, importer) => createRequire(importer ?? import.meta.url).resolve(id),
  },
};

/** Says that the program's files are CommonJS, which Node starts sooner than modules. */
const commonJs: Plugin = {
  name: 'common-js',
  generateBundle() {
    const source = `${JSON.stringify({ type: 'commonjs' })}\n`;
    this.emitFile({ type: 'asset', fileName: 'package.json', source });
  },
};

/**
 * Makes parts load each other, and Node's own modules, when they first use what is in them, and not before, so that a
 * command loads what it runs and no more.
 *
 * INVARIANT: no part does anything by being loaded but make what it exports.
 */
const lazyParts: Plugin = {
  name: 'lazy-parts',
  renderChunk: (code) => ({ code: withLazyParts(code), map: null }),
};

function withLazyParts(code: string): string {
  const names: string[] = [];
  // One line stays one line, for the source maps.
  const loading = code.replaceAll(
    /^(?:const|let) (\w+) = require\(("(?:\.|node:)[^"]+")\);$(\n\1 = .*)?/gm,
    (_, name: string, path: string, isDefault: string | undefined) => {
      names.push(name);
      const lazy = `let ${name}_part; function ${name}() { return ${name}_part ??= require(${path}); }`;
      return isDefault === undefined ? lazy : `${lazy}\n`;
    },
  );
  if (names.length === 0) return code;
  const used = names.join('|');
  return (
    loading
      // What a module of Node exports is its default, too.
      .replaceAll(new RegExp(`\\b(${used})\\.default\\b`, 'g'), '$1')
      .replaceAll(new RegExp(`\\bnew (${used})\\b(\\.[\\w$]+)?`, 'g'), 'new ($1()$2)')
      .replaceAll(new RegExp(`\\b(${used})(?=[.;])`, 'g'), '$1()')
  );
}

/** The parts that decide about all requests: each may name what it needs of those that stand before it. */
const deciding = ['go', 'values', 'cel', 'schemas', 'engine', 'admission'];
/** Those for some requests. */
const decidesAboutSome = /^(?:admission-mutating|custom-resources|mutator)(?:-|$)/;

/**
 * Makes the parts that decide about requests name what they need of each other once, when they are loaded: what is asked
 * for each time V8 neither knows beforehand nor makes part of what asks, which takes a fourth of the time of a request.
 *
 * INVARIANT: what a part exports does not change.
 */
const namedParts: Plugin = {
  name: 'named-parts',
  renderChunk: (code, { name }) => {
    const before = decidesAboutSome.test(name)
      ? deciding
      : deciding.slice(0, Math.max(deciding.indexOf(name), 0));
    return { code: before.reduce(withNames, code), map: null };
  },
};

/** What one of those parts needs of another, by names of its own. */
function withNames(code: string, part: string): string {
  const loading = new RegExp(`^const (\\w+) = require\\("\\./${part}\\.js"\\);$`, 'm');
  const name = loading.exec(code)?.[1];
  if (name === undefined) return code;
  const members = new Set<string>();
  const named = code.replaceAll(new RegExp(`\\b${name}\\.([\\w$]+)`, 'g'), (_, member: string) => {
    members.add(member);
    return `${name}_${member}`;
  });
  const list = Array.from(members, (member) => `${member}: ${name}_${member}`).join(', ');
  return named.replace(loading, () => `const { ${list} } = require("./${part}.js");`);
}

/**
 * Writes characters beyond ASCII as escapes: of a file with one that takes two bytes V8 keeps each character in two, which
 * takes longer to read and to compile. The escapes take five characters more, by which what follows moves in source maps.
 *
 * INVARIANT: sources have such characters in literals and comments alone, and none in `String.raw`.
 */
const asciiParts: Plugin = {
  name: 'ascii-parts',
  generateBundle(_, bundle) {
    for (const part of Object.values(bundle)) {
      if (part.type !== 'chunk') continue;
      const moved = part.code.split('\n').map(columnsBeyondAscii);
      if (moved.every(({ length }) => length === 0)) continue;
      part.code = part.code.replace(beyondAscii, escaped);
      const map = bundle[`${part.fileName}.map`];
      if (map?.type !== 'asset') throw new Error(`${part.fileName} has no source map`);
      const content: { mappings: string } = JSON.parse(String(map.source));
      const lines = decode(content.mappings);
      for (const [number, columns] of moved.entries()) {
        for (const segment of lines[number] ?? []) {
          segment[0] += 5 * columns.filter((column) => column < segment[0]).length;
        }
      }
      content.mappings = encode(lines);
      map.source = JSON.stringify(content);
    }
  },
};

const beyondAscii = /[^\0-\x7f]/g;

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function columnsBeyondAscii(line: string): readonly number[] {
  return Array.from(line.matchAll(beyondAscii), ({ index }) => index);
}

/** What the sources of a folder are called as one part. */
function folderOf(id: string): string | null {
  const [, name, folder = ''] = /\/packages\/([\w-]+)\/src\/(?:(.+)\/)?[^/]+$/.exec(id) ?? [];
  return name === undefined ? null : `${name}-${folder.replaceAll('/', '-')}`.replace(/-$/, '');
}

// The program with all that it needs as files that are few, since Node takes longer to find a hundred modules than to
// run what is in them, and hold what is used together, since V8 reads all of a file that is loaded. Libraries are taken
// as they are for browsers, whose modules need no CommonJS.
export default defineConfig({
  ssr: { noExternal: true, resolve: { conditions: ['@kubeadmit/source', 'module'] } },
  plugins: [
    nodeEntries,
    commanderModules,
    typesFile,
    namedParts,
    lazyParts,
    exportedValues,
    asciiParts,
    commonJs,
  ],
  build: {
    ssr: true,
    target: 'node20.19',
    sourcemap: true,
    license: { fileName: 'licenses.md' },
    rolldownOptions: {
      input: { main: 'src/main.ts', 'check-thread': 'src/check-thread.ts' },
      output: {
        format: 'cjs',
        entryFileNames: '[name].js',
        chunkFileNames: 'parts/[name].js',
        minify: {
          compress: { keepNames: { function: true, class: true } },
          mangle: { keepNames: true },
          codegen: { removeWhitespace: true },
        },
        codeSplitting: {
          // What a module needs lies where it belongs itself, and is loaded when it is used.
          includeDependenciesRecursively: false,
          groups: [
            // What few runs of `check` and `lint` need.
            { name: 'help', test: /\/commander\/lib\/(?:help|suggestSimilar)\.js$/ },
            {
              name: 'formats',
              test: /\/cli\/src\/output\/(?:check\/document-stream|formats\/(?!names|report))/,
            },
            {
              name: 'admission-mutating',
              test: /\/packages\/admission\/src\/(?:make-mutation|dispatch-mutating|from-unstructured|mutating-parameter|read-patched|reinvocation|typed-values)\.ts$/,
            },
            {
              name: 'custom-resources-values',
              test: /\/packages\/custom-resources\/src\/(?:rules\/(?!rule\.)|schema\/(?!(?:schema|validate-metadata)\.)|validate-(?:object|scale)\.)/,
            },
            {
              name: 'cel-estimate',
              test: /\/cel\/src\/estimate\/(?:estimate-cost|known-sizes|standard-call-estimate|list-estimate)\.ts$/,
            },
            {
              name: 'check-command',
              test: /\/cli\/src\/(?:check\/(?:broken-stretch|cases|check|request-user|threads|until-interrupted|verdict-code)|output\/check\/.*)\.ts$/,
            },
            { name: 'go-encoding', test: /\/go\/src\/encoding\/(?:gzip|der)\.ts$/ },
            { name: 'review', test: /\/check\/src\/requests\/review\.ts$/ },
            {
              debugName: 'seldom',
              name: (id) => {
                const [, name, path = ''] =
                  /\/(?:apps|packages)\/([\w-]+)\/src\/(.+)$/.exec(id) ?? [];
                return seldom.get(name)?.test(path) === true ? `${name}-seldom` : null;
              },
            },
            // What is asked of every definition.
            { name: 'definitions-seldom', test: /\/custom-resources\/src\/definition\// },
            { name: 'program', test: everyCommand },
            { name: 'common-commands', test: commonDefinitions },
            { name: 'commands', test: definitions },
            { name: 'checking', test: checking },
            { name: 'kinds', test: /\/schemas\/src\/data\/.*\.v\w+\.ts$/ },
            { name: 'yaml', test: /\/node_modules\/yaml\// },
            { name: 'language-server', test: /\/node_modules\/vscode-/ },
            // What those need of CEL and of Kubernetes' objects who evaluate no CEL.
            {
              name: 'values',
              test: /\/packages\/(?:cel\/src\/(?:values\/|types\.ts)|apimachinery\/src)/,
            },
            { name: 'admission', test: /\/packages\/(?:admission|matcher)\/src\// },
            {
              debugName: 'folder of a package',
              name: (id) => (common.test(id) ? null : folderOf(id)),
              minSize: 12_000,
            },
            {
              debugName: 'package',
              name: (id) => /\/packages\/([\w-]+)\/src\//.exec(id)?.[1] ?? null,
            },
          ],
        },
      },
    },
  },
});

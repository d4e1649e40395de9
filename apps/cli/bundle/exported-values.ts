import type { Plugin } from 'vite';

/** How Rolldown writes that a part exports what it declares. */
const exportedName =
  /^Object\.defineProperty\(exports, ("[\w$]+"), \{\s*enumerable: true,\s*get: function \(\) \{\s*return ([\w$]+);\s*\}\s*\}\);$/gm;

/** What a value is given to by its name, declarations included, with a value or without. */
const assignedName =
  /(?<![\w$.])([\w$]+)\s*(?:[-+*/%&|^?<>]{0,3}=(?![=>])|\+\+|--)|(?:\+\+|--|^(?:let|var) (?=[\w$]+;))([\w$]+)/gm;

/** How Rolldown writes all that a module exports, for those that import it when they run. */
const namespace = /\/\* @__PURE__ \*\/ require_rolldown_runtime\(\)\.\w+\(\{([^{}]*)\}\)/g;
const namespaceName = /([\w$]+): \(\) => ([\w$.()]+)/g;

/**
 * Lets parts export what they declare, and not a function for each that gives it: a run of `check` makes 600 of those,
 * and compiles and calls most of them. What is given a value more than once keeps its function.
 */
export const exportedValues: Plugin = {
  name: 'exported-values',
  renderChunk(code) {
    const given = new Set<string>();
    const givenAgain = new Set<string>();
    for (const [, name = '', counted = name] of code.matchAll(assignedName)) {
      (given.has(counted) ? givenAgain : given).add(counted);
    }
    const withValues = code
      .replaceAll(exportedName, (whole, name: string, local: string) =>
        givenAgain.has(local) ? whole : `exports[${name}] = ${local};`,
      )
      // By itself, and not with a part of Rolldown's that has to be loaded.
      .replaceAll(
        namespace,
        (_, names: string) => `{${names.replaceAll(namespaceName, 'get $1() { return $2; }')}}`,
      );
    return { code: withValues, map: null };
  },
};

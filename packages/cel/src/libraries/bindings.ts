import type { Library } from '../declarations/library.ts';
import { bindMacro } from '../syntax/bind-macro.ts';

/**
 * Local variables (cel-go's `ext.Bindings`).
 *
 * - `cel.bind(name, value, body)`: `body` with `name` standing for `value`, which is evaluated when
 *   first used and only once: `cel.bind(a, 'hello', a + a)` is `"hellohello"`.
 */
export const bindingsLibrary: Library = { name: 'bindings', macros: [bindMacro] };

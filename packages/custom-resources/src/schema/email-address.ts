import { parseAddress } from '@kubeadmit/go';

/** Whether Go's `mail.ParseAddress` takes the text: `a@b`, `Name <a@b>`, `group: a@b;`. */
export function isEmailAddress(text: string): boolean {
  return new AddressReader(text).isSingle();
}

const atomText = /^[A-Za-z0-9!#$%&'*+\-/=?^_`{|}~\u0080-\u{10ffff}.]+/u;
const domainText = /^\[([!-Z^-~\u0080-\u{10ffff}]*)\]/u;
const quotedText = /^"((?:[\t !#-[\]-~\u0080-\u{10ffff}]|\\[\t !-~\u0080-\u{10ffff}])*)"/u;
const encodedWord = /^=\?([^?]+)\?([bBqQ])\?([^?]*)\?=$/;
const charsets: ReadonlySet<string> = new Set(['utf-8', 'iso-8859-1', 'us-ascii']);

/** Reads an address of RFC 5322 as Go's package `net/mail` does; its methods return whether they found their part. */
class AddressReader {
  #rest: string;

  constructor(text: string) {
    this.#rest = text;
  }

  /** One address and nothing else. */
  isSingle(): boolean {
    const count = this.#address(true);
    return count === 1 && this.#comments() && this.#rest === '';
  }

  /** How many addresses stand here, more than one in a group only; undefined where none can be read. */
  #address(allowsGroup: boolean): number | undefined {
    this.#spaces();
    if (this.#rest === '') return undefined;
    if (this.#specification()) {
      this.#spaces();
      return !this.#rest.startsWith('(') || this.#nameComment() ? 1 : undefined;
    }
    if (!this.#rest.startsWith('<') && !this.#phrase()) return undefined;
    this.#spaces();
    if (allowsGroup && this.#take(':')) return this.#group();
    return this.#take('<') && this.#specification() && this.#take('>') ? 1 : undefined;
  }

  #group(): number | undefined {
    this.#spaces();
    if (this.#take(';')) return this.#comments() ? 0 : undefined;
    for (let count = 0; ; ) {
      this.#spaces();
      const found = this.#address(false);
      if (found === undefined || !this.#comments()) return undefined;
      count += found;
      if (this.#take(';')) return this.#comments() ? count : undefined;
      if (!this.#take(',')) return undefined;
    }
  }

  /** `local@domain`; nothing is taken where it cannot be read. */
  #specification(): boolean {
    const before = this.#rest;
    this.#spaces();
    const local = this.#rest.startsWith('"') ? this.#quoted() : this.#atom(false);
    if (local !== undefined && local !== '' && this.#take('@')) {
      this.#spaces();
      if (this.#rest.startsWith('[') ? this.#domainLiteral() : this.#atom(false) !== undefined) {
        return true;
      }
    }
    this.#rest = before;
    return false;
  }

  /** Reads at least one word, up to the first token of another type. */
  #phrase(): boolean {
    for (let count = 0; ; count++) {
      if (count > 0 && !this.#comments()) return false;
      this.#spaces();
      if (this.#rest === '') return true;
      const word = this.#rest.startsWith('"') ? this.#quoted() : this.#atom(true);
      if (word === undefined || hasUnknownCharset(word)) return count > 0;
    }
  }

  #quoted(): string | undefined {
    return this.#match(quotedText)?.[1];
  }

  #atom(isLenient: boolean): string | undefined {
    const before = this.#rest;
    const text = this.#match(atomText)?.[0];
    if (text === undefined || isLenient || !/^\.|\.\.|\.$/.test(text)) return text;
    this.#rest = before;
    return undefined;
  }

  #domainLiteral(): boolean {
    const text = this.#match(domainText)?.[1];
    return text !== undefined && !text.includes('%') && !('error' in parseAddress(text));
  }

  /** The comment after an address, which is its name. */
  #nameComment(): boolean {
    this.#take('(');
    const comment = this.#comment();
    return comment?.split(/[ \t]+/).some(hasUnknownCharset) === false;
  }

  #comments(): boolean {
    this.#spaces();
    while (this.#take('(')) {
      if (this.#comment() === undefined) return false;
      this.#spaces();
    }
    return true;
  }

  /** The text of a comment whose opening parenthesis is taken. */
  #comment(): string | undefined {
    let depth = 1;
    for (let index = 0; index < this.#rest.length; index++) {
      const character = this.#rest[index];
      if (character === '\\' && index + 1 < this.#rest.length) index++;
      else if (character === '(') depth++;
      else if (character === ')') depth--;
      if (depth > 0) continue;
      const text = this.#rest.slice(0, index);
      this.#rest = this.#rest.slice(index + 1);
      return text;
    }
    return undefined;
  }

  #spaces(): void {
    this.#match(/^[ \t]+/);
  }

  #take(character: string): boolean {
    if (!this.#rest.startsWith(character)) return false;
    this.#rest = this.#rest.slice(1);
    return true;
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    const found = pattern.exec(this.#rest) ?? undefined;
    if (found) this.#rest = this.#rest.slice(found[0].length);
    return found;
  }
}

/** Whether a word is encoded (RFC 2047) in a character set that Go does not know. */
function hasUnknownCharset(word: string): boolean {
  const [, charset] = encodedWord.exec(word) ?? [];
  return charset !== undefined && !charsets.has(charset.toLowerCase());
}

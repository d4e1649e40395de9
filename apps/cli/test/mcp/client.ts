import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

/** The answer of a tool: its texts, and whether it is an error. */
export interface Answer {
  readonly texts: readonly string[];
  readonly isError: boolean;
}

/** A client of the built server, as agents start it. */
export class McpClient {
  readonly #client: Client;

  private constructor(client: Client) {
    this.#client = client;
  }

  static async start(folder: string): Promise<McpClient> {
    const client = new Client({ name: 'test', version: '1' });
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [main, 'mcp', folder],
    });
    await client.connect(transport);
    return new McpClient(client);
  }

  get instructions(): string | undefined {
    return this.#client.getInstructions();
  }

  async tools() {
    return (await this.#client.listTools()).tools;
  }

  async call(name: string, given: Readonly<Record<string, unknown>>): Promise<Answer> {
    const answer = await this.#client.callTool({ name, arguments: given });
    const content = answer.content as readonly { readonly type: string; readonly text: string }[];
    return { texts: content.map(({ text }) => text), isError: answer.isError === true };
  }

  close(): Promise<void> {
    return this.#client.close();
  }
}

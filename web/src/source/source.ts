/** Where answers come from: the service that served the page, or the page's own file. */
import { answerFromFile, type PageData } from './file';

export class AnswerError extends Error {
  constructor(message: string, readonly hint: string, readonly status: number) {
    super(message);
  }
}

export interface Download {
  name: string;
  content: Blob;
}

export interface Source {
  /** True if the answers are in the page: nothing can be uploaded or changed. */
  readonly offline: boolean;
  /** What was left out to keep the file small. */
  readonly leftOut: string[];
  get<Answer>(path: string): Promise<Answer>;
  send<Answer>(method: string, path: string, body: unknown): Promise<Answer>;
  /** A file of the service: the token goes with the request, never into an address. */
  download(path: string): Promise<Download>;
}

const ROOT = 'api/v1/';
const TOKEN = 'mlir-prof-token';

/** The token of the address `?token=`, kept for this tab: the service has no cookies. */
const token = (): string | null => {
  const given = new URLSearchParams(location.search).get('token');
  try {
    if (given) sessionStorage.setItem(TOKEN, given);
    return given ?? sessionStorage.getItem(TOKEN);
  } catch {
    return given;  // a frame without storage
  }
};

class ServiceSource implements Source {
  readonly offline = false;
  readonly leftOut = [];

  get<Answer>(path: string): Promise<Answer> {
    return this.request(path, { method: 'GET' });
  }

  send<Answer>(method: string, path: string, body: unknown): Promise<Answer> {
    if (body instanceof FormData || body === undefined) return this.request(path, { method, body });
    const headers = { 'Content-Type': 'application/json' };
    return this.request(path, { method, body: JSON.stringify(body), headers });
  }

  async download(path: string): Promise<Download> {
    const reply = await this.fetch(path, { method: 'GET' });
    if (!reply.ok) throw await errorOf(reply);
    const name = /filename="([^"]+)"/.exec(reply.headers.get('Content-Disposition') ?? '')?.[1];
    return { name: name ?? 'profile', content: await reply.blob() };
  }

  private async request<Answer>(path: string, options: RequestInit): Promise<Answer> {
    const reply = await this.fetch(path, options);
    if (!reply.ok) throw await errorOf(reply);
    return reply.status === 204 ? undefined as Answer : reply.json();
  }

  private fetch(path: string, options: RequestInit): Promise<Response> {
    const headers = new Headers(options.headers);
    const secret = token();
    if (secret) headers.set('Authorization', `Bearer ${secret}`);
    return fetch(ROOT + path, { ...options, headers });
  }
}

const errorOf = async (reply: Response): Promise<AnswerError> => {
  const answer = await reply.json().catch(() => ({}));
  const message = answer.message ?? `The service answered ${reply.status}.`;
  return new AnswerError(message, answer.hint ?? '', reply.status);
};

class FileSource implements Source {
  readonly offline = true;
  constructor(private readonly data: PageData) {}

  get leftOut(): string[] {
    return this.data.left_out ?? [];
  }

  async get<Answer>(path: string): Promise<Answer> {
    const answer = answerFromFile(this.data, path);
    if (answer === undefined)
      throw new AnswerError('This file does not hold this part of the profile.',
        'Open the profile with mlir-prof serve.', 404);
    return answer as Answer;
  }

  async send<Answer>(): Promise<Answer> {
    throw new AnswerError('A file answers no queries.',
      'Open the profile with mlir-prof serve.', 405);
  }

  async download(): Promise<Download> {
    throw new AnswerError('A file has no downloads.',
      'Open the profile with mlir-prof serve.', 405);
  }
}

const open = (): Source => {
  const data = document.getElementById('profile-data');
  return data ? new FileSource(JSON.parse(data.textContent ?? '')) : new ServiceSource();
};

export const source = open();

export function newSessionId() {
  return Math.random().toString(36).slice(2);
}

export function readSession(cookie) {
  try {
    return JSON.parse(cookie);
  } catch {
    return {};
  }
}

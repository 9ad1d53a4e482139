/**
 * Runs a model's program with the container's own Python.
 *
 * It exchanges lines of JSON over duplicates of stdin and stdout, which child processes do not inherit. The program's
 * prints are collected here. The output of its child processes goes to stderr.
 */
export const CONTAINER_PYTHON: string = String.raw`
import ast, builtins, io, json, linecache, math, os, re, resource, sys, traceback, types

inbox = os.fdopen(os.dup(0), "r", encoding="utf-8", errors="surrogatepass", newline="\n")
outbox = os.fdopen(os.dup(1), "w", encoding="utf-8", errors="replace", newline="\n")
os.dup2(os.open("/dev/null", os.O_RDONLY), 0)
os.dup2(2, 1)
request = json.loads(inbox.readline())
limits = request["limits"]
FILE = "main.py"

def say(message):
    outbox.write(json.dumps(message, allow_nan=False) + "\n")
    outbox.flush()

def clip(text, most):
    return text if len(text) <= most else text[:max(0, most)] + "…"

def clean(text):
    return re.sub("[\ud800-\udfff]", "\ufffd", text)

class Printed(io.TextIOBase):
    def __init__(self):
        self.parts = []
        self.room = limits["maxOutputCharacters"]
    def writable(self):
        return True
    def write(self, text):
        if not isinstance(text, str):
            raise TypeError("write() argument must be str")
        self.parts.append(clean(text[:self.room]))
        if len(text) > self.room:
            done({"kind": "ended", "limit": "output", "stdout": out.text()})
        self.room -= len(text)
        return len(text)
    def text(self):
        return "".join(self.parts)

def done(outcome):
    say({"type": "done", "outcome": outcome})
    # Skip atexit handlers and threads: no code of the program may run after this.
    os._exit(0)

def host(name):
    def call(*args, **named):
        given = [plain(each, Budget()) for each in args]
        given += [{"key": key, "value": plain(value, Budget())} for key, value in named.items()]
        say({"type": "call", "name": name, "args": given})
        answer = json.loads(inbox.readline())
        if "raise" in answer:
            kind = getattr(builtins, answer["raise"]["type"], OSError)
            raise kind(answer["raise"]["message"])
        return answer["value"]
    call.__name__ = call.__qualname__ = name
    return call

class Budget:
    def __init__(self, characters=8_000_000, left=10_000):
        self.characters = characters
        self.left = left
        self.around = []
    def spend(self, text):
        kept = clip(clean(text), self.characters)
        self.characters -= len(kept)
        return kept

def plain(value, budget, depth=0):
    budget.left -= 1
    if budget.left < 0 or depth > 20:
        return "…"
    if value is None or value is True or value is False:
        return value
    if isinstance(value, int):
        value = int(value)
        if abs(value) < 2 ** 53:
            return value
        return budget.spend(str(value) if value.bit_length() <= 4000 else "an integer of more than 1,200 digits")
    if isinstance(value, float):
        if math.isfinite(value):
            return 0 if value == 0 else float(value)
        return "nan" if value != value else "inf" if value > 0 else "-inf"
    if isinstance(value, str):
        return budget.spend(str(value))
    if isinstance(value, (bytes, bytearray)):
        shown = "".join(chr(b) if 31 < b < 127 and b not in (39, 92) else "\\x%02x" % b for b in value[:1000])
        return budget.spend("b'" + shown + "'")
    if id(value) in budget.around:
        return "{...}" if isinstance(value, dict) else "[...]"
    if not isinstance(value, (list, tuple, set, frozenset, dict)):
        return budget.spend(shown_as(value))
    budget.around.append(id(value))
    try:
        if isinstance(value, dict):
            found = {}
            for key, each in value.items():
                if budget.left <= 0 or budget.characters <= 0:
                    found["…"] = "…"
                    break
                name = budget.spend(key if isinstance(key, str) else json.dumps(plain(key, budget, 19)))
                found["'__proto__'" if name == "__proto__" else name] = plain(each, budget, depth + 1)
            return found
        items = []
        for each in value:
            if budget.left <= 0 or budget.characters <= 0:
                items.append("…")
                break
            items.append(plain(each, budget, depth + 1))
        return items
    finally:
        budget.around.pop()

def shown_as(value):
    try:
        return repr(value)
    except Exception:
        return "<" + type(value).__name__ + ">"

def failure(error):
    if isinstance(error, MemoryError):
        return {"kind": "ended", "limit": "memory", "stdout": out.text()}
    if isinstance(error, RecursionError):
        return {"kind": "ended", "limit": "recursion", "stdout": out.text()}
    report = traceback.TracebackException.from_exception(error)
    report.stack = traceback.StackSummary.from_list([frame for frame in report.stack if frame.filename == FILE])
    message = "".join(report.format_exception_only()).strip().split("\n")[-1]
    text = clean("".join(report.format()))
    return {"kind": "raised", "error": clip(clean(message), 2000), "stdout": out.text(), "stderr": clip(text, 4000)}

def kept(name, value):
    hidden = (types.ModuleType, types.FunctionType, types.BuiltinFunctionType, type)
    return not name.startswith("_") and not isinstance(value, hidden)

out = Printed()
sys.stdout = out
sys.stderr = err = Printed()
names = {"__name__": "__main__", "__builtins__": builtins}
names.update({name: host(name) for name in request["functions"]})
names.update(request["globals"])
try:
    code = request["code"]
    linecache.cache[FILE] = (len(code), None, code.splitlines(True), FILE)
    tree = ast.parse(code, FILE)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    sys.argv = [FILE]
    sys.path.insert(0, os.getcwd())
    sys.setrecursionlimit(limits["maxRecursionDepth"] + 20)
    memory = limits["maxMemoryBytes"]
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    exec(compile(tree, FILE, "exec"), names)
    result = eval(compile(ast.Expression(last.value), FILE, "eval"), names) if last else None
    if result is None:
        result = names.get("result")
except BaseException as error:
    sys.setrecursionlimit(5000)
    done(failure(error))
sys.setrecursionlimit(5000)
try:
    budget = Budget(limits["maxOutputCharacters"])
    shown = plain(result, budget)
    budget = Budget(limits["maxOutputCharacters"])
    found = {name: plain(value, budget) for name, value in list(names.items()) if kept(name, value)}
    exported = {name: clean(names[name]) for name in request["exports"] if isinstance(names.get(name), str)}
    done({"kind": "completed", "result": shown, "stdout": out.text(), "stderr": err.text(), "globals": found, "exported": exported})
except BaseException as error:
    done(failure(error))
`.trim();

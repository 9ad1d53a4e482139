/** Idioms of scripts that just-bash alone runs differently from bash. Each must do the same as in bash, on the same files. */
export const IDIOMS: readonly string[] = [
  // Arithmetic.
  "for n in 1 2 3; do ((n<=2)) && echo le; ((n>=3)) && echo ge; ((n!=2)) || echo two; done",
  "i=0; while ((i<=4)); do ((i+=2)); echo $i; done; until ((i<=0)); do ((i-=3)); done; echo $i",
  'f=data/names.txt; echo $(( $(wc -l < "$f") + 1 )) $(( `wc -l < $f` * 2 ))',
  "fact() { local n=$1; if ((n<=1)); then echo 1; else echo $((n * $(fact $((n-1))))); fi; }; fact 6",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: these are parameters of the shell.
  "declare -A c; while read -r n; do c[$n]=$(( ${c[$n]:-0} + 1 )); done < data/names.txt; for k in ${!c[@]}; do echo $k ${c[$k]}; done | sort",
  // Directories, patterns and redirections.
  // biome-ignore lint/suspicious/noTemplateCurlyInString: these are parameters of the shell.
  'for d in */ src/*/; do echo "$d"; done; dirs=(*/); echo "${#dirs[@]} ${dirs[0]}"; echo s*/; ls -d */; cd src/d*/ && ls',
  "(cd src && ls) > list.txt; cat list.txt; { cd data; ls *.csv; } > in-root; ls; cat ../in-root; ls ../src",
  `shopt -s nullglob extglob globstar
echo no*such **/*.ts @(src|data); shopt -u nullglob; echo no*such; ls -d */ | sort`,
  // set -e.
  "set -e; f() { false; echo inside; }; f || echo handled; if ! f; then echo not; fi; f && echo ok; ! f; echo end",
  "set -e; f() { return 3; }; f || echo $?; (exit 4) || echo $?; { false; echo x; } && echo y; f; echo never",
  'set -euo pipefail; die() { echo "error: $1"; exit 1; }; [ -f README.md ] || die one; [ -f none ] || die two; echo never',
  "set -e; x=$(cat none 2>/dev/null) || x=default; echo $x; y=$(false; echo inside); echo $y; z=$(< my\\ file.txt); echo $z; false || w=1; echo $? $w; (exit 5) || rc=$?; echo $rc; v=$(false); echo never",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: these are parameters of the shell.
  'f() { local -a all=("$@" $(ls data)); local d=(*/); echo "${#all[@]} ${all[1]} ${d[0]}"; }; f a "b c" d',
  // trap.
  'tmp=$(mktemp); trap \'rm -f "$tmp"; echo removed\' EXIT; echo data > "$tmp"; cat "$tmp"; exit 3',
  'cleanup() { local code=$?; echo "$code $x"; rm -rf build; }; trap cleanup EXIT; x=5; mkdir build; set -e; false; echo never',
  "trap 'echo one' EXIT; trap 'echo two' EXIT; trap -p EXIT; (exit 2); echo $?",
  "trap 'echo bye; exit 9' EXIT; cd src; exit 4",
  "trap 'echo bye' EXIT; trap - EXIT; trap 'echo never' INT TERM; [ -d src ] && exit 4",
  // Commands and their options.
  "ls README.md data/names.txt src; ls -p; ls -F src; ls -lA src | awk 'NR > 1 { print $1, $5, $9 }'; ls none README.md 2>/dev/null; echo $?",
  "touch -d '2020-05-05 10:00 UTC' src/a.ts; ls -t src/*.ts | tail -n 1; ls -rt src | head -n 1; ls -S data; ln -s a.ts src/l; ls -l src/l | awk '{ print $1, $9, $10, $11 }'",
  "cp -a src copy && find copy | sort && mkdir t && cp -t t README.md && mv -t t copy && ls t; cp -u README.md new && cat new | head -n 1; ln -s new l; cp -P l m; readlink m",
  "touch -d '2020-01-01 00:00 UTC' a; touch -r a b; TZ=UTC touch -t 202105051000 c; stat -c '%n %Y %s %F' a b c; stat -c '%n %s %F %%' README.md src; [ c -nt b ] && echo newer",
  "ln -s data d; stat -c '%N %F' d; stat -L -c %F d; rm d; ln -s y x; ln -s x y; rm x y; ls; find . -type l; ln -s README.md l; find . -type l",
  "sed -i.bak 's/Ada/Eva/' data/names.txt; cat data/names.txt.bak data/names.txt; sed --in-place=.o -e 1d -e 2d data/prices.csv; ls data; cat data/prices.csv",
  "grep -rn TODO . | sort; grep -rl export . | sort; grep -e Zoe -e Bob data/names.txt; grep -E -e '^Z' -e 'b$' data/names.txt; grep -rc TODO src | sort",
  "find . -name '*.ts' -exec grep -l TODO {} \\; ; echo $?; find . -name 'a.ts' -print -quit; find data -name '*.txt' -print0 | sort -z | xargs -0 -n1 basename",
  "seq 6 | xargs -n2; seq 4 | xargs -n2 -P2 echo | sort; echo 'a \"b c\" d' | xargs -n1; echo x | xargs -I% echo %-%; seq 2 | xargs -L1 echo l; xargs -a data/names.txt -n1 echo | head -n 1; echo a | xargs false; echo $?",
  "printf 'b\\nA\\na\\nB\\n' | sort; printf 'b\\nA\\nb\\n' | sort -ru; sort -u data/names.txt README.md | head -n 3; sort data/names.txt | uniq -c; seq 3 | paste -sd+; cut -b1 data/names.txt; cut -d, -f2 data/prices.csv | paste -s -d, -",
  "head -n -2 data/names.txt; seq 5 | head -n -3; printf 'a\\nb\\nc\\n' > x; printf 'a\\nB\\nc\\nd\\n' > y; diff x y; echo $?; diff -u x y | tail -n +3; diff x x && echo same; diff -q x y; printf 'c\\n' > z; diff x z; diff z x",
  "cp -r src copy; echo more >> copy/a.ts; rm copy/deep/c.ts; touch copy/new; diff -r src copy; diff -rq src copy; diff README.md src/a.ts > /dev/null; echo $?",
  "cmp README.md README.md && echo equal; cat README.md | cmp - README.md && echo piped; touch -d @0 e; stat -c %Y e; cmp -s README.md src/a.ts || echo differ; d=$(mktemp -d); [ -d $d ] && echo made; f=$(mktemp x.XXXX); ls x.* | wc -l; rm $f; realpath src/../data | sed 's/.*data/data/'",
  "bash -e -c 'false; echo no'; echo $?; bash -eu -c 'echo $1' _ arg; echo 'echo $#; exit 7' > s.sh; bash s.sh a b; echo $?; bash -e s.sh a; echo $?; sh -c 'exit 3'; echo $?",
  // Names of commands, defaults and lists.
  // biome-ignore lint/suspicious/noTemplateCurlyInString: these are parameters of the shell.
  'run() { echo "+ $*"; "$@"; }; cmd="ls -1"; run $cmd src; all=(echo -n "a  b"); "${all[@]}"; check() { if "$@" > /dev/null; then echo yes; fi; }; check [ -d src ]; none=; $none echo next; $none; echo $?',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: these are parameters of the shell.
  'set -u; [ -z "${1:-}" ] && echo none; : "${OUT:=dist dir}"; echo "$OUT" "${OUT:+set}" "${none-x}"; a=(1 2); printf "<%s>" "${a[@]:-none}" "${b[@]:-none}"',
  `a=(3 1 2); IFS=$'\\n' sorted=($(sort <<<"\${a[*]}")); echo "\${sorted[@]}"; IFS=,; all="\${a[*]}"; echo "$all"; case "\${a[*]}" in 3,1,2) echo case;; esac; f() { for x; do echo "<$x>"; done; }; f "a b" c`,
  // Files of scripts.
  `mkdir lib; cat > lib/log.sh <<'EOF'
LIB="$(cd "$(dirname "\${BASH_SOURCE[0]}")" && pwd)"
say() { local n=$#; if ((n>=2)); then echo "\${LIB##*/} many: $*"; else echo one; fi; }
step() { false; echo "went on"; }
for d in */; do last=$d; done
[ $# -gt 0 ] && return 3
EOF
cat > run.sh <<'EOF'
#!/usr/bin/env bash
set -euo pipefail
trap 'echo "cleanup $?"' EXIT
here="$(cd "$(dirname "\${BASH_SOURCE[0]}")" && pwd)"
. "$here/lib/log.sh"
say "$@"; step || echo no; echo "$last \${A:-none} $0"
if [[ "\${BASH_SOURCE[0]}" == "$0" ]]; then read -r line && echo "$line"; fi
cat missing 2> /dev/null
echo never
EOF
chmod +x run.sh; A=1 ./run.sh a "b c" <<< in; echo $?; (cd data; ../run.sh x < names.txt) || echo failed; ./lib/log.sh; echo $?; ./none; echo $?
source lib/log.sh x; echo $?; say; set -e; if ! ./run.sh a < README.md; then echo caught; fi; ./run.sh a < README.md; echo never`,
  // Sorting and options.
  "printf '%s\\n' 'b 10 x' 'a 9 y' 'B 10 w' > t; sort -k2,2n -k1,1 t; sort -t' ' -k3,3r t; sort -k2n -u t; sort -c t 2> /dev/null || echo $?; sort -rk1.1,1.1 -s t; sort -o t t; cat t; printf '%s\\n' 2K 1M 900 | sort -h; printf 'a\\na\\nb\\n' | uniq -c | sort -k1,1nr -k2; sort -m <(echo b) <(echo a); sort --numeric-sort --reverse --key=2 t; printf 'v1.10\\nv1.9\\n' | sort -V",
  "awk -v OFS=- '{ print NR, $1 }' data/names.txt; awk 'NR == FNR { seen[$1]; next } !($1 in seen)' <(echo Ada) data/names.txt; awk 'length > 3 && !/length/ { n += length } END { print n }' README.md; sed '/Ada/a\\more' data/names.txt; sed --expression='1i\\top' data/names.txt; grep -H Zoe data/names.txt; grep -s x none; grep --color=never -c Ada data/names.txt; cp -rT src new && cp -rT data new && ls new; unlink README.md; ls",
];

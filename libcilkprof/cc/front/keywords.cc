/* The keywords, which are predefined macros.
   SPDX-License-Identifier: GPL-3.0-or-later

   cilk_spawn stands before a call anywhere in an expression, and no token that the front end knows is valid there for
   every type of result.  So the keyword leaves no token, and the call is recognised by the location of its first token,
   immediately after the keyword.  When the preprocessor reaches the keyword it asks which macro to expand
   (NODE_CONDITIONAL).  At that point the following tokens can be read: a call, a block, or something else.  At the end
   of a macro argument nothing follows yet, and the keyword is left until the argument has been substituted.  The
   expansion begins with a pragma because nothing else would be left in preprocessed output.  */

#include "front.h"

static const char spawn_keyword_name[] = "__cilkprof_spawn";
static const char grain_name[] = "__cilkprof_grain";
static const char loop_name[] = "__cilkprof_for";
static cpp_hashnode *spawn_node, *call_node, *other_node, *block_node, *grain_node, *loop_node, *pragma_node;

/* Defines a macro that users know, which -fdirectives-only output must contain.  */
static void define_keyword(const char *name, const char *value) {
  if (flag_preprocess_only)
    cpp_define_formatted(parse_in, "%s=%s", name, value);
  else
    define_macro(name, value);
}

/* The tokens after a keyword.  The first may have been read already.  */
struct tokens {
  cpp_reader *reader;
  const cpp_token *first;
  const cpp_token *at(unsigned index) const {
    return !first ? cpp_peek_token(reader, index) : index ? cpp_peek_token(reader, index - 1) : first;
  }
  const cpp_token *next(unsigned *index) const {
    while (at(*index)->type == CPP_PADDING)
      ++*index;
    return at(*index);
  }
  unsigned index_without_padding(unsigned index) const {
    unsigned before = 0;
    while (index-- > 0)
      before += at(index)->type != CPP_PADDING;
    return before;
  }
};

/* The number of tokens to look ahead.  The plugin manages without what it has not found by then.  */
static const unsigned farthest = 100;

/* Skips the brackets, of any kind, that open at INDEX.  Returns false if they are not closed within sight.  */
static bool skip_group(const tokens &behind, unsigned *index) {
  bool angles = behind.at(*index)->type == CPP_LESS;
  for (int depth = 0, angle = 0; *index < farthest;) {
    switch (behind.at((*index)++)->type) {
    case CPP_OPEN_PAREN:
    case CPP_OPEN_SQUARE:
    case CPP_OPEN_BRACE:
      depth++;
      break;
    case CPP_CLOSE_PAREN:
    case CPP_CLOSE_SQUARE:
    case CPP_CLOSE_BRACE:
      depth--;
      break;
    case CPP_LESS:
      angle += !depth;
      break;
    case CPP_RSHIFT:
      angle -= !depth; /* fall through */
    case CPP_GREATER:
      angle -= !depth;
      break;
    case CPP_EOF:
      return false;
    default:
      break;
    }
    if (depth < 0 || (angles && !depth && behind.at(*index - 1)->type == CPP_SEMICOLON))
      return false;
    if (angles ? angle <= 0 : !depth)
      return true;
  }
  return false;
}

/* Finds out if the text after a keyword reads like a call, and where the parenthesis before its arguments is.  */
static spawned_text read_call(const tokens &behind, unsigned index) {
  spawned_text text = {behind.next(&index), NULL, 0, false};
  bool callee = false, lambda = text.first->type == CPP_OPEN_SQUARE;
  for (const cpp_token *token = text.first;; token = behind.next(&index)) {
    switch (token->type) {
    case CPP_NAME:
      if (cpp_macro_p(token->val.node.node)) {
        text.like_call = true; /* perhaps */
        return text;
      }
      callee = true;
      index++;
      continue;
    case CPP_SCOPE:
    case CPP_DOT:
    case CPP_DEREF:
    case CPP_COMPL:
      callee = false;
      index++;
      continue;
    case CPP_OPEN_PAREN:
      if (callee) {
        text.like_call = true;
        text.open = token;
        text.open_index = behind.index_without_padding(index);
      } else if (token == text.first)
        text.like_call = read_call(behind, index + 1).like_call;
      break;
    case CPP_OPEN_BRACE:
      if (!lambda)
        return text;
      break;
    case CPP_OPEN_SQUARE:
    case CPP_LESS:
      break;
    default:
      return text;
    }
    callee = true;
    if (!skip_group(behind, &index))
      return text;
  }
}

static bool starts_statement(const cpp_token *token) {
  if (token->type == CPP_OPEN_BRACE)
    return true;
  if (token->type != CPP_NAME)
    return false;
  static const char *const words[] = {"if", "for", "while", "do", "switch", "try"};
  for (const char *word : words)
    if (token->val.node.node == macro_node(word))
      return true;
  return false;
}

/* Returns true for an assignment after a keyword, which OpenCilk spawns like any statement, as in
   `cilk_spawn a[i] = f(i);'.  */
static bool assigns(const tokens &behind, unsigned index) {
  while (index < farthest)
    switch (behind.at(index)->type) {
    case CPP_EQ:
    case CPP_PLUS_EQ:
    case CPP_MINUS_EQ:
    case CPP_MULT_EQ:
    case CPP_DIV_EQ:
    case CPP_MOD_EQ:
    case CPP_AND_EQ:
    case CPP_OR_EQ:
    case CPP_XOR_EQ:
    case CPP_RSHIFT_EQ:
    case CPP_LSHIFT_EQ:
      return true;
    case CPP_OPEN_PAREN:
    case CPP_OPEN_SQUARE:
    case CPP_OPEN_BRACE:
      if (!skip_group(behind, &index))
        return false;
      break;
    case CPP_SEMICOLON:
    case CPP_COMMA:
    case CPP_CLOSE_PAREN:
    case CPP_CLOSE_SQUARE:
    case CPP_CLOSE_BRACE:
    case CPP_EOF:
      return false;
    case CPP_NAME:
      if (cpp_macro_p(behind.at(index)->val.node.node))
        return false;
      index++;
      break;
    default:
      index++;
    }
  return false;
}

/* Recognises the expansion of a keyword before a block, in preprocessed input.  */
static bool starts_block(const tokens &behind) {
  static const cpp_ttype types[] = {CPP_NAME, CPP_OPEN_PAREN, CPP_SEMICOLON, CPP_OPEN_PAREN, CPP_NAME};
  unsigned index = 0;
  for (cpp_ttype type : types)
    if (behind.next(&index)->type != type)
      return false;
    else
      index++;
  return behind.at(index - 1)->val.node.node == macro_node("__cilkprof_mark_block");
}

static cpp_hashnode *choose_spawn(cpp_reader *reader) {
  tokens behind = {reader, NULL};
  unsigned index = 0;
  const cpp_token *first = behind.next(&index);
  if (first->type == CPP_EOF)
    return NULL; /* the argument of a macro ends here */
  if (first->type == CPP_NAME && !flag_preprocess_only && cpp_macro_p(first->val.node.node) &&
      (first->val.node.node == macro_node("_Cilk_spawn") || first->val.node.node == macro_node("cilk_spawn")))
    error_at(first->src_loc, "%<cilk_spawn%> behind %<cilk_spawn%>");
  if (starts_statement(first) || assigns(behind, index))
    return block_node;
  spawned_text text = read_call(behind, index);
  if (!flag_preprocess_only)
    spawn_expanded(text);
  return text.like_call ? call_node : other_node;
}

static void (*previous_line_change)(cpp_reader *, const cpp_token *, int);

static void line_change(cpp_reader *reader, const cpp_token *token, int parsing_arguments) {
  if (awaiting_token() && token->flags & BOL && token->type != CPP_EOF)
    preprocessed_token(read_call({reader, token}, 0), starts_block({reader, token}));
  if (token->flags & BOL && token->type != CPP_PRAGMA && !parsing_arguments)
    line_after_grain(token->src_loc);
  if ((token->flags & BOL || token->type == CPP_PRAGMA) && !parsing_arguments)
    line_after_simd(token);
  if (previous_line_change)
    previous_line_change(reader, token, parsing_arguments);
}

static void watch_lines() {
  cpp_callbacks *callbacks = cpp_get_callbacks(parse_in);
  if (callbacks->line_change == line_change)
    return;
  previous_line_change = callbacks->line_change;
  callbacks->line_change = line_change;
}

static void watch_after_grain(cpp_reader *reader) {
  if (grain_size_pragma(reader))
    watch_lines();
}

static void watch_after_spawn(cpp_reader *reader) {
  spawn_pragma(reader);
  if (awaiting_token())
    watch_lines();
}

/* Macros of <cilk/cilk.h> get no locations either: GCC suppresses warnings at locations in system headers.  */
static void header_pragma(cpp_reader *) {
  for (const char *name : {"cilk_spawn", "cilk_sync", "cilk_for", "cilk_scope"})
    if (cpp_user_macro_p(macro_node(name)))
      without_place(macro_node(name));
}

/* Cilk Plus has this pragma.  GCC decides about vectorisation by itself, so it is accepted and ignored.  */
static void simd_pragma(cpp_reader *) {}

static cpp_hashnode *macro_to_expand(cpp_reader *reader, const cpp_token *token) {
  cpp_hashnode *node = token->val.node.node;
  tokens behind = {reader, NULL};
  unsigned index = 0;
  if (node == loop_node)
    return choose_loop(node, behind.next(&index));
  if (node == pragma_node) {
    if (behind.next(&index)->type == CPP_OPEN_PAREN && behind.next(&++index)->type == CPP_STRING)
      pragma_operator((const char *)behind.at(index)->val.str.text);
    return node;
  }
  return node == spawn_node ? choose_spawn(reader) : node == grain_node ? choose_grain() : node;
}

/* The names of functions are in parentheses so that C reports an undeclared one, too, instead of leaving that to the
   linker.  After a precompiled header other macros of the same names are in effect, for which the preprocessor asks
   nothing, so each definition must be usable as it is.  */
static void define_keywords() {
  define_keyword("__cilk", "200");
  define_keyword("_Cilk_spawn", "_Pragma(\"__cilkprof __spawn\")__cilkprof_spawn");
  define_keyword("_Cilk_sync", "(__cilkprof_mark_sync)()");
  define_keyword("_Cilk_for", "__cilkprof_for");
  define_keyword("_Cilk_scope", "for(;(__cilkprof_mark_scope)();)");
  spawn_node = define_macro(spawn_keyword_name, "");
  call_node = define_macro(SPAWN_OF_CALL, "");
  other_node = define_macro(SPAWN_OF_OTHER, "");
  block_node = define_macro("__cilkprof_spawn_block", "for(;(__cilkprof_mark_block)();)");
  grain_node = define_macro(grain_name, "0");
  loop_node = define_macro(loop_name, "for(;(__cilkprof_mark_loop)(0,__cilkprof_grain);)for");
  define_grain();
  define_loop();
  loop_node->flags |= NODE_CONDITIONAL;
  if (flag_openmp || flag_openmp_simd) {
    pragma_node = macro_node("_Pragma");
    pragma_node->flags |= NODE_CONDITIONAL;
    watch_lines();
  }
  spawn_node->flags |= NODE_CONDITIONAL;
  grain_node->flags |= NODE_CONDITIONAL;
  cpp_get_callbacks(parse_in)->macro_to_expand = macro_to_expand;
}

void register_pragmas(void *, void *) {
  const cpp_options *options = cpp_get_options(parse_in);
  bool keywords = !options->preprocessed || options->directives_only;
  if (keywords)
    define_keywords();
  if (flag_preprocess_only && options->directives_only)
    return; /* pragmas stay in the output for the compiler that reads it */
  if (keywords)
    cpp_register_pragma(parse_in, "cilk", "grainsize", watch_after_grain, false);
  cpp_register_pragma(parse_in, "__cilkprof", "__header", header_pragma, false);
  if (flag_preprocess_only)
    return;
  cpp_get_options(parse_in)->track_macro_expansion = 2;
  cpp_register_pragma(parse_in, "__cilkprof", "__spawn", watch_after_spawn, false);
  cpp_register_pragma(parse_in, NULL, "simd", simd_pragma, false);
}

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

/* Defines the macro NAME, which users know, as VALUE.  Output of -fdirectives-only must contain it, unlike the macros
   that only the plugin knows.  */
static void define_keyword_macro(const char *name, const char *value) {
  if (flag_preprocess_only)
    cpp_define_formatted(parse_in, "%s=%s", name, value);
  else
    define_hidden_macro(name, value);
}

/* The tokens after a keyword.  The first may have been read already.  */
struct tokens {
  cpp_reader *reader;
  const cpp_token *first;
  mutable unsigned known = 0;    /* tokens that may be read */
  mutable bool complete = false; /* no more may be */
  /* Returns token number INDEX after the keyword.  The preprocessor still delivers it afterwards.  Behind the tokens
     that may be read is an end.  */
  const cpp_token *token_at(unsigned index) const {
    static cpp_token end;
    end.type = CPP_EOF;
    for (; known <= index && !complete; known++)
      complete = last_readable_p(peeked(known));
    return index < known ? peeked(index) : &end;
  }
  /* Returns true if nothing behind TOKEN may be read before it is delivered: it runs a _Pragma when it is expanded, as
     keywords do, or a directive follows.  The preprocessor takes the tokens that it has read for those of either.  */
  bool last_readable_p(const cpp_token *token) const {
    bool newest = get_range_from_loc(line_table, token->src_loc).m_finish >= line_table->highest_location;
    return token_runs_pragma_p(token) || (newest && gcc_directive_follows_p(reader));
  }
  /* Returns token number INDEX, which may be read.  */
  const cpp_token *peeked(unsigned index) const {
    return !first ? cpp_peek_token(reader, index) : index ? cpp_peek_token(reader, index - 1) : first;
  }
  /* Returns the first token from *INDEX on that is not padding, and moves *INDEX there.  */
  const cpp_token *next_token_without_padding(unsigned *index) const {
    while (token_at(*index)->type == CPP_PADDING)
      ++*index;
    return token_at(*index);
  }
  /* Returns how many of the tokens before INDEX are not padding.  */
  unsigned token_index_without_padding(unsigned index) const {
    unsigned before = 0;
    while (index-- > 0)
      before += token_at(index)->type != CPP_PADDING;
    return before;
  }
};

/* The number of tokens to look ahead.  The plugin manages without what it has not found by then.  */
static const unsigned farthest = 100;

/* Advances *INDEX, at an opening bracket of any kind, past the matching closing one.  Returns false if that is not
   found among the next tokens.  */
static bool skip_bracketed_tokens(const tokens &behind, unsigned *index) {
  bool angles = behind.token_at(*index)->type == CPP_LESS;
  for (int depth = 0, angle = 0; *index < farthest;) {
    switch (behind.token_at((*index)++)->type) {
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
    if (depth < 0 || (angles && !depth && behind.token_at(*index - 1)->type == CPP_SEMICOLON))
      return false;
    if (angles ? angle <= 0 : !depth)
      return true;
  }
  return false;
}

/* Reads the tokens BEHIND a keyword, those that follow it, from INDEX on.  Returns what they are: the first of them,
   whether they read like a call, and where the parenthesis before its arguments is.  */
static spawned_text read_spawned_tokens(const tokens &behind, unsigned index) {
  spawned_text text = {behind.next_token_without_padding(&index), NULL, 0, false};
  bool callee = false, lambda = text.first->type == CPP_OPEN_SQUARE;
  for (const cpp_token *token = text.first;; token = behind.next_token_without_padding(&index)) {
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
        text.open_index = behind.token_index_without_padding(index);
      } else if (token == text.first)
        text.like_call = read_spawned_tokens(behind, index + 1).like_call;
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
    if (!skip_bracketed_tokens(behind, &index))
      return text;
  }
}

/* Returns true if TOKEN begins a block or a statement such as `if', so that the keyword before it spawns all of
   that.  */
static bool token_starts_statement_p(const cpp_token *token) {
  if (token->type == CPP_OPEN_BRACE)
    return true;
  if (token->type != CPP_NAME)
    return false;
  static const char *const words[] = {"if", "for", "while", "do", "switch", "try", "delete"};
  for (const char *word : words)
    if (token->val.node.node == lookup_macro_node(word))
      return true;
  return false;
}

/* Returns true for an assignment after a keyword, which OpenCilk spawns like any statement, as in `cilk_spawn a[i] =
   f(i);'.  BEHIND are the tokens after the keyword, of which those before INDEX are padding.  If they do not read LIKE
   a CALL, `++' and `--' are assignments too, as in `cilk_spawn a[i]++;'.  */
static bool tokens_assign_p(const tokens &behind, unsigned index, bool like_call) {
  while (index < farthest)
    switch (behind.token_at(index)->type) {
    case CPP_PLUS_PLUS:
    case CPP_MINUS_MINUS:
      if (!like_call)
        return true;
      index++;
      break;
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
      if (!skip_bracketed_tokens(behind, &index))
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
      if (cpp_macro_p(behind.token_at(index)->val.node.node))
        return false;
      index++;
      break;
    default:
      index++;
    }
  return false;
}

/* Returns true if the tokens BEHIND a spawn pragma in preprocessed input are the expansion of a keyword before a
   block.  */
static bool tokens_start_block_p(const tokens &behind) {
  static const cpp_ttype types[] = {CPP_NAME, CPP_OPEN_PAREN, CPP_SEMICOLON, CPP_OPEN_PAREN, CPP_NAME};
  unsigned index = 0;
  for (cpp_ttype type : types)
    if (behind.next_token_without_padding(&index)->type != type)
      return false;
    else
      index++;
  return behind.token_at(index - 1)->val.node.node == lookup_macro_node(marker_name(MARK_BLOCK));
}

/* Returns the macro to which a cilk_spawn expands, by the tokens that follow it: a call, a block, or something else.
   NULL leaves the keyword until a macro argument, which ends here, has been substituted.  */
static cpp_hashnode *choose_spawn_macro(cpp_reader *reader) {
  tokens behind = {reader, NULL};
  unsigned index = 0;
  const cpp_token *first = behind.next_token_without_padding(&index);
  if (first->type == CPP_EOF && cpp_get_buffer(reader))
    return NULL; /* the argument of a macro ends here */
  if (first->type == CPP_NAME && !flag_preprocess_only && cpp_macro_p(first->val.node.node) &&
      (first->val.node.node == lookup_macro_node("_Cilk_spawn") ||
       first->val.node.node == lookup_macro_node("cilk_spawn")))
    error_at(first->src_loc, "%<cilk_spawn%> directly after %<cilk_spawn%>");
  spawned_text text = read_spawned_tokens(behind, index);
  if (token_starts_statement_p(first) || tokens_assign_p(behind, index, text.like_call))
    return block_node;
  if (!flag_preprocess_only)
    note_spawn_expansion(text);
  return text.like_call ? call_node : other_node;
}

static void (*previous_line_change)(cpp_reader *, const cpp_token *, int);

/* Callback of the preprocessor for the first TOKEN of each line: completes a pragma that waits for its token or line,
   then calls the callback that was installed before.  */
static void handle_preprocessor_line(cpp_reader *reader, const cpp_token *token, int parsing_arguments) {
  if (awaiting_spawned_token_p() && token->flags & BOL && token->type != CPP_EOF)
    add_preprocessed_keyword(read_spawned_tokens({reader, token}, 0), tokens_start_block_p({reader, token}));
  if (token->flags & BOL && token->type != CPP_PRAGMA && !parsing_arguments)
    count_line_after_grain(token->src_loc);
  if ((token->flags & BOL || token->type == CPP_PRAGMA) && !parsing_arguments)
    count_line_after_simd(token);
  if (previous_line_change)
    previous_line_change(reader, token, parsing_arguments);
}

/* Installs handle_preprocessor_line as the preprocessor's callback for new lines, unless it is that already.  */
static void watch_preprocessor_lines() {
  cpp_callbacks *callbacks = cpp_get_callbacks(parse_in);
  if (callbacks->line_change == handle_preprocessor_line)
    return;
  previous_line_change = callbacks->line_change;
  callbacks->line_change = handle_preprocessor_line;
}

/* Callback for a grainsize pragma: reads it, and watches the lines after it for the loop.  */
static void handle_grain_pragma(cpp_reader *reader) {
  if (read_grain_size_pragma(reader))
    watch_preprocessor_lines();
}

/* Callback for the pragma that a cilk_spawn expands to.  In preprocessed input it watches for the token after it.  */
static void handle_spawn_pragma(cpp_reader *reader) {
  note_spawn_pragma(reader);
  if (awaiting_spawned_token_p())
    watch_preprocessor_lines();
}

/* Callback for the pragma in <cilk/cilk.h>: takes the locations from the macros that this header defines.  GCC
   suppresses warnings at locations in system headers.  */
static void handle_header_pragma(cpp_reader *) {
  for (const char *name : {"cilk_spawn", "cilk_sync", "cilk_for", "cilk_scope"})
    if (cpp_user_macro_p(lookup_macro_node(name)))
      clear_macro_locations(lookup_macro_node(name));
}

/* Callback for `#pragma simd' of Cilk Plus, which is accepted and ignored.  GCC decides about vectorisation by
   itself.  */
static void ignore_simd_pragma(cpp_reader *) {}

/* Callback of the preprocessor: returns the macro to expand for TOKEN, a keyword or _Pragma, by what follows it; NULL
   to leave it unexpanded.  */
static cpp_hashnode *choose_macro_to_expand(cpp_reader *reader, const cpp_token *token) {
  cpp_hashnode *node = token->val.node.node;
  tokens behind = {reader, NULL};
  unsigned index = 0;
  if (node == loop_node)
    return choose_loop_macro(node, behind.next_token_without_padding(&index));
  if (node == pragma_node) {
    if (behind.next_token_without_padding(&index)->type == CPP_OPEN_PAREN &&
        behind.next_token_without_padding(&++index)->type == CPP_STRING)
      read_simd_pragma_operator((const char *)behind.token_at(index)->val.str.text);
    return node;
  }
  return node == spawn_node ? choose_spawn_macro(reader) : node == grain_node ? choose_grain_macro() : node;
}

/* Defines the names that OpenCilk's compiler knows without a header.  <cilk/cilk.h> may define them once more.  */
static void define_opencilk_keywords() {
  define_keyword_macro("cilk_spawn", "_Cilk_spawn");
  define_keyword_macro("cilk_sync", "_Cilk_sync");
  define_keyword_macro("cilk_for", "_Cilk_for");
  define_keyword_macro("cilk_scope", "_Cilk_scope");
  define_keyword_macro("cilk_reducer", "_Hyperobject");
}

/* Defines the keywords and the macros that they expand to.  The names of functions are in parentheses so that C reports
   an undeclared one, too, instead of leaving that to the linker.  After a precompiled header other macros of the same
   names are in effect, for which the preprocessor asks nothing, so each definition must be usable as it is.  */
static void define_keyword_macros() {
  define_keyword_macro("__cilk", "200");
  define_keyword_macro("_Cilk_spawn", "_Pragma(\"__cilkprof __spawn\")__cilkprof_spawn");
  define_keyword_macro("_Cilk_sync", "(__cilk_sync)()");
  define_keyword_macro("_Cilk_for", "__cilkprof_for");
  define_keyword_macro("_Cilk_scope", "for(;(__cilk_scope)();)");
  define_keyword_macro("_Hyperobject(...)", "__attribute__((__cilkprof_reducer__(__VA_ARGS__)))");
  if (!c_dialect_cxx())
    define_keyword_macro("__builtin_addressof(...)", "(&(__VA_ARGS__))"); /* in C only OpenCilk's compiler has it */
  if (opencilk_keywords)
    define_opencilk_keywords();
  spawn_node = define_hidden_macro(spawn_keyword_name, "");
  call_node = define_hidden_macro(SPAWN_OF_CALL, "");
  other_node = define_hidden_macro(SPAWN_OF_OTHER, "");
  block_node = define_hidden_macro("__cilkprof_spawn_block", "for(;(__cilk_spawn)();)");
  grain_node = define_hidden_macro(grain_name, "0");
  loop_node = define_hidden_macro(loop_name, "for(;(__cilk_for)(0,__cilkprof_grain);)for");
  define_grain_macros();
  define_simd_loop_macro();
  loop_node->flags |= NODE_CONDITIONAL;
  if (flag_openmp || flag_openmp_simd) {
    pragma_node = lookup_macro_node("_Pragma");
    pragma_node->flags |= NODE_CONDITIONAL;
    watch_preprocessor_lines();
  }
  spawn_node->flags |= NODE_CONDITIONAL;
  grain_node->flags |= NODE_CONDITIONAL;
  cpp_get_callbacks(parse_in)->macro_to_expand = choose_macro_to_expand;
}

/* Callback before the first line of a unit is read: defines the keywords and registers the pragmas that belong to them,
   except where preprocessed input or output has no use for them.  */
void register_keyword_pragmas(void *, void *) {
  const cpp_options *options = cpp_get_options(parse_in);
  bool keywords = !options->preprocessed || options->directives_only;
  if (keywords)
    define_keyword_macros();
  if (flag_preprocess_only && options->directives_only)
    return; /* pragmas stay in the output for the compiler that reads it */
  if (keywords)
    cpp_register_pragma(parse_in, "cilk", "grainsize", handle_grain_pragma, false);
  cpp_register_pragma(parse_in, "__cilkprof", "__header", handle_header_pragma, false);
  if (flag_preprocess_only)
    return;
  cpp_get_options(parse_in)->track_macro_expansion = 2;
  cpp_register_pragma(parse_in, "__cilkprof", "__spawn", handle_spawn_pragma, false);
  cpp_register_pragma(parse_in, NULL, "simd", ignore_simd_pragma, false);
}

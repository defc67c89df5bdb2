//! Words that a field cannot be called because they mean something else where its name is used.
//!
//! Only words of a name's shape are listed: upper-case letters and leading underscores are refused
//! anyway.

/// What the word means, if it is reserved.
pub fn meaning(word: &str) -> Option<&'static str> {
    RESERVED
        .iter()
        .find(|(_, words)| words.split_whitespace().any(|reserved| reserved == word))
        .map(|(meaning, _)| *meaning)
}

/// All reserved words.
pub fn words() -> impl Iterator<Item = &'static str> {
    RESERVED
        .iter()
        .flat_map(|(_, words)| words.split_whitespace())
}

/// Meanings, and the words that have them.
const RESERVED: &[(&str, &str)] = &[
    (
        "a keyword of Rust",
        "abstract as async await become box break const continue crate do dyn else enum \
         extern false final fn for gen if impl in let loop macro match mod move mut override \
         priv pub raw ref return safe self static struct super trait true try type typeof \
         union unsafe unsized use virtual where while yield macro_rules",
    ),
    (
        "a built-in type or crate of Rust",
        "bool char str i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize f16 f32 f64 f128 \
         alloc core proc_macro std",
    ),
    (
        "in Rust's prelude, where the name of the element type would hide it",
        "as_mut as_ref clone copy double_ended_iterator drop eq err \
         exact_size_iterator extend fn_mut fn_once from from_iterator into into_iterator \
         iterator none ok option ord partial_eq partial_ord result send sized some string sync \
         to_owned to_string try_from try_into unpin vec",
    ),
    (
        "a keyword of C++",
        "alignas alignof and and_eq asm auto bitand bitor case catch char8_t char16_t \
         char32_t class co_await co_return co_yield compl concept consteval constexpr \
         constinit const_cast contract_assert decltype default delete double dynamic_cast \
         explicit export float friend goto import inline int long module mutable namespace \
         new noexcept not not_eq nullptr operator or or_eq private protected public register \
         reinterpret_cast requires restrict short signed sizeof static_assert static_cast \
         switch template this thread_local throw typedef typeid typename unsigned using void \
         volatile wchar_t xor xor_eq",
    ),
    (
        "defined by common C++ compilers and headers",
        "assert complex errno far i386 imaginary interface linux main max min near offsetof \
         setjmp small hyper stderr stdin stdout unix va_arg va_end va_start int8_t int16_t \
         int32_t int64_t intmax_t intptr_t ptrdiff_t size_t uint8_t uint16_t uint32_t \
         uint64_t uintmax_t uintptr_t st_atime st_ctime st_mtime sa_handler sa_sigaction \
         s_addr s6_addr h_addr ifa_broadaddr ifa_dstaddr d_fileno major minor makedev",
    ),
    (
        "a built-in type of CUDA",
        "char1 char2 char3 char4 dim3 double1 double2 double3 double4 float1 float2 float3 \
         float4 half half2 int1 int2 int3 int4 long1 long2 long3 long4 longlong1 longlong2 \
         longlong3 longlong4 short1 short2 short3 short4 uchar1 uchar2 uchar3 uchar4 uint1 \
         uint2 uint3 uint4 ulong1 ulong2 ulong3 ulong4 ulonglong1 ulonglong2 ulonglong3 \
         ulonglong4 ushort1 ushort2 ushort3 ushort4",
    ),
    (
        "a device on Windows, where no file can have that name",
        "aux com0 com1 com2 com3 com4 com5 com6 com7 com8 com9 con conin conout lpt0 lpt1 \
         lpt2 lpt3 lpt4 lpt5 lpt6 lpt7 lpt8 lpt9 nul prn",
    ),
    (
        "fieldgen's own name for a file, a module or a type",
        "avx2 avx512 constants element fieldgen fieldgen_word lib portable slice wide word",
    ),
];

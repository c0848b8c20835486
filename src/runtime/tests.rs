use deno_core::{JsRuntime, RuntimeOptions};

#[test]
fn the_way_in_is_gone() {
    let mut runtime =
        JsRuntime::new(RuntimeOptions { extensions: vec![super::extension::replay::init()], ..Default::default() });
    let value = runtime.execute_script("test.js", "`${typeof Deno} ${typeof __bootstrap}`").expect("runs");
    deno_core::scope!(scope, runtime);
    let value = deno_core::v8::Local::new(scope, value);
    assert_eq!(value.to_rust_string_lossy(scope), "undefined undefined");
}
